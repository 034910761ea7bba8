/** Is notified of what happens at the rate limiter of an account in this process, for metrics. It must not throw. */
export interface RateLimiterObserver {
  /** Requests that wait for a lease, each time that it changes. */
  waiting(requests: number): void;
  /** A request may be sent, so long after it came. */
  admitted(waitedMs: number): void;
  refused(why: 'daily_limit_reached' | 'abandoned' | 'expired' | 'store_failed'): void;
  /** The provider asked for a pause. */
  paused(): void;
}

export const NO_RATE_LIMITER_OBSERVER: RateLimiterObserver = {
  waiting: () => undefined,
  admitted: () => undefined,
  refused: () => undefined,
  paused: () => undefined,
};
