const POLL_MS = 25;

/** Polls until the result is neither null nor false; the time limit of the test ends it. */
export async function until<T>(ask: () => Promise<T | null | false>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== false) return answer;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
