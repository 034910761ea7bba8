/** The rate limiter's clock: monotonic, so that a change of the wall clock neither bunches requests nor stops them. */
export interface RateLimiterClock {
  nowMs(): number;
  /** Resolves after about `forMs`, or at once when the signal aborts; never rejects. */
  sleep(forMs: number, signal: AbortSignal): Promise<void>;
}

export const monotonicClock: RateLimiterClock = {
  nowMs: () => performance.now(),
  sleep: (forMs, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.ceil(forMs));
      signal.addEventListener('abort', wake);
    }),
};

/**
 * Sleeps until the clock has reached the instant: timers may fire early, and an early request could exceed the limit.
 */
export async function sleepUntil(clock: RateLimiterClock, instantMs: number, signal: AbortSignal): Promise<void> {
  for (let leftMs = instantMs - clock.nowMs(); leftMs > 0 && !signal.aborted; leftMs = instantMs - clock.nowMs()) {
    // guard: waits-to-its-instant
    await clock.sleep(Math.max(leftMs, 1), signal);
  }
}
