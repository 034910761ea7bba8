import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until something is so, looking again and again. @throws Error with `otherwise` and the time when it never is */
export async function until(
  isSo: () => Promise<boolean>,
  { everyMs, withinMs, otherwise }: { everyMs: number; withinMs: number; otherwise: string },
): Promise<void> {
  const giveUpMs = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > giveUpMs) throw new Error(`${otherwise} for ${withinMs / 1000} s`);
    await sleep(everyMs);
  }
}
