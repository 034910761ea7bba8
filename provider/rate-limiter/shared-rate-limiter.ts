import { type RateLimiterObserver, NO_RATE_LIMITER_OBSERVER } from './rate-limiter-observer.ts';
import { type RateLimiterClock, monotonicClock, sleepUntil } from './rate-limiter-clock.ts';
import {
  createUnlimitedRateLimiter,
  RateLimiterRefusal,
  type PassOptions,
  type RateLimiter,
  type Send,
  type LeaseStore,
  type Lease,
  type UsedLease,
} from './rate-limiter.ts';
import { BackOff } from './pause-after-429.ts';

export interface RateLimiterOptions {
  account: string;
  store: LeaseStore;
  /** Requests in any second; 0 when the limit is lifted. */
  limitPerSecond: number;
  /** A lease could not be released, or a pause not stored. The request's result is kept; the store repairs itself. */
  onStoreError?: (error: unknown) => void;
  clock?: RateLimiterClock;
  observer?: RateLimiterObserver | undefined;
}

/** The rate limiter of one provider account in one process. Contract: account 8. */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  return options.limitPerSecond === 0 ? createUnlimitedRateLimiter() : new SharedRateLimiter(options);
}

/** A new signal each time: a single one would collect listeners. */
const never = (): AbortSignal => new AbortController().signal;

interface Waiter {
  mayUseReserve: boolean;
  admit(admission: Admission): void;
  refuse(refusal: RateLimiterRefusal): void;
}

interface Admission {
  lease: Lease;
  readyAtMs: number;
}

/** The wait before the next attempt after this process has expired as a lease holder. */
const EXPIRED_RETRY_MS = 250;

/**
 * The shortest wait after the store had no lease. It gives other processes a chance: otherwise the one that releases a
 * lease would always take it again. A released lease cannot be used for most of a second anyway, so no time is lost.
 */
const MIN_RETRY_MS = 40;

/** A request without an answer may reach the provider this much later. Its lease is not released before. */
const LATE_ARRIVAL_MS = 2_000;

class SharedRateLimiter implements RateLimiter {
  readonly #options: RateLimiterOptions;
  readonly #clock: RateLimiterClock;
  readonly #observer: RateLimiterObserver;
  readonly #queue: Waiter[] = [];
  readonly #pendingWrites = new Set<Promise<void>>();
  #isTaking = false;
  /** Counts released leases and removed waiters, so that a change during a query of the store is noticed. */
  #changes = 0;
  #retryWait = new AbortController();
  #pausedUntilMs = Number.NEGATIVE_INFINITY;
  #pausing: Promise<void> = Promise.resolve();
  readonly #backOff = new BackOff();

  constructor(options: RateLimiterOptions) {
    this.#options = options;
    this.#clock = options.clock ?? monotonicClock;
    this.#observer = options.observer ?? NO_RATE_LIMITER_OBSERVER;
  }

  async run<T>(request: Send<T>, options: PassOptions = {}): Promise<T> {
    const signal = options.signal ?? never();
    const send = this.#observed(request);
    for (;;) {
      const admission = await this.#waitForLease(signal, options.mayUseReserve ?? false);
      await this.#waitUntilReady(admission, signal);
      if (signal.aborted) {
        this.#release(admission.lease, 0);
        this.#observer.refused('abandoned');
        throw new RateLimiterRefusal('given up before it was sent');
      }
      // guard: asked-before-sending
      if (this.#options.store.stillHolds(admission.lease)) return await this.#sendOn(admission.lease, send, signal);
      this.#release(admission.lease, 0);
      await this.#clock.sleep(EXPIRED_RETRY_MS, signal);
    }
  }

  #observed<T>(request: Send<T>): Send<T> {
    const beganMs = this.#clock.nowMs();
    return (signal, lease) => {
      this.#observer.admitted(this.#clock.nowMs() - beganMs);
      return request(signal, lease);
    };
  }

  async drained(): Promise<void> {
    while (this.#pendingWrites.size > 0) await Promise.all(this.#pendingWrites);
  }

  #waitForLease(signal: AbortSignal, mayUseReserve: boolean): Promise<Admission> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(new RateLimiterRefusal('given up before it was sent'));
        return;
      }
      const giveUp = (): void => {
        this.#remove(waiter);
        this.#observer.refused('abandoned');
        this.#retryNow();
        reject(new RateLimiterRefusal('given up before it was sent'));
      };
      const waiter: Waiter = {
        mayUseReserve,
        admit: (admission) => {
          signal.removeEventListener('abort', giveUp);
          resolve(admission);
        },
        refuse: (refusal) => {
          signal.removeEventListener('abort', giveUp);
          reject(refusal);
        },
      };
      signal.addEventListener('abort', giveUp);
      this.#queue.push(waiter);
      this.#observer.waiting(this.#queue.length);
      void this.#takeLeases();
    });
  }

  /** One query at a time in the whole process: more would only load the store, and change the order of requests. */
  async #takeLeases(): Promise<void> {
    if (this.#isTaking) return;
    this.#isTaking = true;
    while (this.#queue.length > 0) {
      const changesBefore = this.#changes;
      const retryInMs = await this.#takeLease();
      if (retryInMs === null) continue;
      await this.#clock.sleep(MIN_RETRY_MS, never());
      if (retryInMs <= MIN_RETRY_MS || this.#changes !== changesBefore) continue;
      this.#retryWait = new AbortController();
      await this.#clock.sleep(retryInMs - MIN_RETRY_MS, this.#retryWait.signal);
    }
    this.#isTaking = false;
  }

  /** Milliseconds until the next attempt, or null if there is no need to wait. */
  async #takeLease(): Promise<number | null> {
    const { account, store } = this.#options;
    const first = this.#queue[0];
    if (first === undefined) return null;
    try {
      const answer = await store.take(account, { mayUseReserve: first.mayUseReserve });
      if ('retryInMs' in answer) return answer.retryInMs;
      if ('exhaustedForMs' in answer) {
        this.#observer.refused('daily_limit_reached');
        this.#remove(first)?.refuse(
          new RateLimiterRefusal("the day's requests are used up", { retryInMs: answer.exhaustedForMs }),
        );
        return null;
      }
      const { lease } = answer;
      const next = this.#remove(first);
      if (next === undefined) this.#release(lease, 0);
      else next.admit({ lease, readyAtMs: this.#clock.nowMs() + lease.waitMs });
    } catch (cause) {
      this.#observer.refused('store_failed');
      this.#remove(first)?.refuse(new RateLimiterRefusal('the store gave no lease', { cause }));
    }
    return null;
  }

  /** Undefined if it was given up meanwhile. */
  #remove(waiter: Waiter): Waiter | undefined {
    const index = this.#queue.indexOf(waiter);
    if (index === -1) return undefined;
    const [removed] = this.#queue.splice(index, 1);
    this.#observer.waiting(this.#queue.length);
    return removed;
  }

  async #waitUntilReady(admission: Admission, signal: AbortSignal): Promise<void> {
    // guard: pause-of-those-that-wait
    const readyAtMs = (): number => Math.max(admission.readyAtMs, this.#pausedUntilMs);
    // A pause may begin during the wait.
    while (!signal.aborted && this.#clock.nowMs() < readyAtMs()) await sleepUntil(this.#clock, readyAtMs(), signal);
  }

  async #sendOn<T>(lease: Lease, send: Send<T>, signal: AbortSignal): Promise<T> {
    const answer: { atMs: number | null; roundTripMs: number | null } = { atMs: null, roundTripMs: null };
    const used: UsedLease = {
      answered: (roundTripMs) => {
        answer.atMs = this.#clock.nowMs();
        answer.roundTripMs = roundTripMs;
      },
      pause: (forMs) => this.#pause(forMs),
      recheck: () => {
        const isPaused = this.#clock.nowMs() < this.#pausedUntilMs;
        // guard: asked-once-more
        if (!signal.aborted && !isPaused && this.#options.store.stillHolds(lease)) return;
        // Nothing was sent, so the lease can be released at once.
        answer.atMs = this.#clock.nowMs();
        this.#observer.refused('expired');
        throw new RateLimiterRefusal('its lease expired before it was sent');
      },
    };
    try {
      const result = await send(signal, used);
      answer.atMs ??= this.#clock.nowMs();
      return result;
    } finally {
      // guard: broken-off-may-arrive
      if (answer.atMs === null) this.#releaseAfterArrival(lease);
      else this.#release(lease, this.#clock.nowMs() - answer.atMs, answer.roundTripMs);
    }
  }

  #releaseAfterArrival(lease: Lease): void {
    const arrived = this.#clock.sleep(LATE_ARRIVAL_MS, never());
    void this.#writeToStore(arrived.then(() => this.#release(lease, 0)));
  }

  #pause(requestedMs: number | null): void {
    this.#observer.paused();
    const forMs = requestedMs ?? this.#backOff.next(this.#clock.nowMs() - this.#pausedUntilMs);
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#clock.nowMs() + forMs);
    this.#pausing = this.#writeToStore(this.#options.store.pause(this.#options.account, forMs));
  }

  /**
   * A pause is stored before the lease is released, so that no other process takes the lease and sends during the pause.
   */
  #release(lease: Lease, sinceAnswerMs: number, roundTripMs: number | null = null): void {
    const { account, store } = this.#options;
    const answeredAtMs = this.#clock.nowMs() - sinceAnswerMs;
    const release = (): Promise<void> =>
      store.release(account, lease, { sinceAnswerMs: this.#clock.nowMs() - answeredAtMs, roundTripMs });
    // guard: pause-before-the-lease
    void this.#writeToStore(this.#pausing.then(release, release)).then(() => this.#retryNow());
  }

  #retryNow(): void {
    this.#changes += 1;
    this.#retryWait.abort();
  }

  /** Runs in the background: an answer about money neither waits for the store nor is lost when the store fails. */
  #writeToStore(work: Promise<void>): Promise<void> {
    const done = work.catch((error: unknown) => this.#options.onStoreError?.(error));
    this.#pendingWrites.add(done);
    return done.finally(() => this.#pendingWrites.delete(done));
  }
}
