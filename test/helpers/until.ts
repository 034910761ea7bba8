import { vi } from 'vitest';

const MIN_PAUSE_MS = 25;
const MAX_PAUSE_MS = 150;
/** Only what never comes takes longer, also on a busy machine. Shorter than the time limit of a test, so that its failure is shown. */
const HANG_MS = 100_000;

/**
 * Polls until the result is something other than null, undefined and false; the time limit of the test ends it. The longer it waits, the
 * less often: on a few processors, many who ask keep each other waiting.
 */
export async function until<T>(
  ask: () => Promise<T | null | undefined | false> | T | null | undefined | false,
): Promise<T> {
  const begunAt = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    const pauseMs = Math.min(Math.max((performance.now() - begunAt) / 20, MIN_PAUSE_MS), MAX_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Repeats assertions until they hold. @returns what they return @throws the last failure, when they never do */
export function eventually<T>(assertions: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(assertions, { timeout: HANG_MS, interval: 20 });
}
