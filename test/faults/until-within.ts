import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/** Polls until the condition is true. @throws Error that names the condition when it was not true in time */
export async function untilWithin(withinMs: number, what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!(await isTrue())) {
    if (performance.now() > deadlineMs) throw new Error(`not within ${withinMs / 1000} s: ${what}`);
    await sleep(POLL_MS);
  }
}
