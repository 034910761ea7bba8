/**
 * The rate limiter that every request of a provider account passes, in all processes, so that no second has more requests than
 * the limit allows. Contract: account 8.
 *
 * The store has one lease for each request per second. A process queues its requests in the order of their arrival,
 * waits until its lease may be used, and releases the lease after the answer.
 */
export interface RateLimiter {
  /**
   * Waits for a lease, then calls `send` once. Rejects as `send` does, or with `RateLimiterRefusal` if `send` was not called.
   * If `send` resolves without a call of `answered`, the request counts as answered at that moment.
   */
  run<T>(send: Send<T>, options?: PassOptions): Promise<T>;
  /** Resolves when all finished requests have released their leases. For shutdown, after the last request. */
  drained(): Promise<void>;
}

export interface PassOptions {
  signal?: AbortSignal | undefined;
  /** Whether it may use the requests of the day that are reserved for payments that the provider already has. */
  mayUseReserve?: boolean;
}

export type Send<T> = (signal: AbortSignal, lease: UsedLease) => Promise<T>;

/** What a request reports while it has its lease. */
export interface UsedLease {
  /** The provider answered, with any status. */
  answered(roundTripMs: number): void;
  /**
   * The provider requests a pause: no process sends until it is over. Null if it gives no duration: then each further
   * pause that it requests soon after the last one is twice as long.
   */
  pause(forMs: number | null): void;
  /** For a request that waited since it got its lease. @throws RateLimiterRefusal when the lease has expired or a pause began */
  recheck: () => void;
}

export interface Lease {
  number: number;
  id: string;
  /** The process that took it: one that expired continues as a new holder. */
  holder: string;
  /** The time until the request may be sent. */
  waitMs: number;
}

/** The leases of all processes. Each is taken and released in one statement. */
export interface LeaseStore {
  /**
   * The lease that is free first, or when to try again because all are in use. `exhaustedForMs`: the day's requests of
   * this kind are used up, and it is worth trying again after this time.
   */
  take(
    account: string,
    options: { mayUseReserve: boolean },
  ): Promise<{ lease: Lease } | { retryInMs: number } | { exhaustedForMs: number }>;
  /** Whether the lease is still ours. Checked just before sending, since this process may have expired meanwhile. */
  stillHolds(lease: Lease): boolean;
  /** `sinceAnswerMs`: the time since its request was answered or given up. `roundTripMs`: how long the answer took; null: there was none. */
  release(account: string, lease: Lease, outcome: { sinceAnswerMs: number; roundTripMs: number | null }): Promise<void>;
  pause(account: string, forMs: number): Promise<void>;
}

/** A request that was not sent: it was given up, the store failed, or the day's requests are used up. */
export class RateLimiterRefusal extends Error {
  override readonly name = 'RateLimiterRefusal';
  /** When it is worth trying again, if known. */
  readonly retryInMs: number | null;
  constructor(reason: string, options: { cause?: unknown; retryInMs?: number } = {}) {
    super(reason, 'cause' in options ? { cause: options.cause } : {});
    this.retryInMs = options.retryInMs ?? null;
  }
}

/** The rate limiter of an account without a limit: every request is sent at once. */
export function createUnlimitedRateLimiter(): RateLimiter {
  const lease: UsedLease = { answered: () => undefined, pause: () => undefined, recheck: () => undefined };
  return {
    run: async (send, options) => {
      if (options?.signal?.aborted) throw new RateLimiterRefusal('given up before it was sent');
      return send(options?.signal ?? new AbortController().signal, lease);
    },
    drained: () => Promise.resolve(),
  };
}
