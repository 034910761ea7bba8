import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/** Waits for a condition. @throws Error that says what did not come about in time */
export async function untilWithin(withinMs: number, what: string, holds: () => Promise<boolean>): Promise<void> {
  const latest = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > latest) throw new Error(`it did not come about within ${withinMs / 1000} s that ${what}`);
    await sleep(POLL_MS);
  }
}
