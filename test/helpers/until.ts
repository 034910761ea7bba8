const POLL_MS = 25;

/** Asks again until the answer is neither null nor false; the test's own time limit ends it. */
export async function until<T>(ask: () => Promise<T | null | false>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== false) return answer;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
