const MIN_PAUSE_MS = 25;
const MAX_PAUSE_MS = 150;

/**
 * Polls until the result is neither null nor false; the time limit of the test ends it. The longer it waits, the less often: on a
 * few processors, many who ask keep each other waiting.
 */
export async function until<T>(ask: () => Promise<T | null | false>): Promise<T> {
  const begunAt = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== false) return answer;
    const pauseMs = Math.min(Math.max((performance.now() - begunAt) / 20, MIN_PAUSE_MS), MAX_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
