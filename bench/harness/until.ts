import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until the condition is true. @throws Error with `otherwise` and the time when it was not within `withinMs` */
export async function until(
  isTrue: () => Promise<boolean>,
  { everyMs, withinMs, otherwise }: { everyMs: number; withinMs: number; otherwise: string },
): Promise<void> {
  const giveUpMs = performance.now() + withinMs;
  while (!(await isTrue())) {
    if (performance.now() > giveUpMs) throw new Error(`${otherwise} for ${withinMs / 1000} s`);
    await sleep(everyMs);
  }
}
