import type { LeaseStore, Lease } from '../../provider/rate-limiter/rate-limiter.ts';
import type { VirtualClock } from './virtual-clock.ts';

const COOLDOWN_MS = 1_000;

/** A lease store for one process, to test the rate limiter alone. */
export class MemoryLeaseStore implements LeaseStore {
  readonly released: { number: number; sinceAnswerMs: number; roundTripMs: number | null }[] = [];
  readonly pausesMs: number[] = [];
  queries = 0;
  activeQueries = 0;
  maxConcurrentQueries = 0;
  holds = true;
  /** If set, only requests that may use the reserve get leases. */
  exhaustedForMs: number | null = null;
  readonly #clock: VirtualClock;
  readonly #leases: { freeAtMs: number; leaseId: string | null }[];

  constructor(clock: VirtualClock, limitPerSecond: number) {
    this.#clock = clock;
    this.#leases = Array.from({ length: limitPerSecond }, () => ({ freeAtMs: 0, leaseId: null }));
  }

  async take(_account: string, { mayUseReserve }: { mayUseReserve: boolean }): ReturnType<LeaseStore['take']> {
    this.queries += 1;
    this.activeQueries += 1;
    this.maxConcurrentQueries = Math.max(this.maxConcurrentQueries, this.activeQueries);
    await this.#clock.wait(1);
    this.activeQueries -= 1;
    if (this.exhaustedForMs !== null && !mayUseReserve) return { exhaustedForMs: this.exhaustedForMs };
    const nowMs = this.#clock.nowMs();
    const free = this.#leases
      .map((state, number) => ({ state, number }))
      .filter(({ state }) => state.leaseId === null)
      .sort((one, other) => one.state.freeAtMs - other.state.freeAtMs)[0];
    if (free === undefined) return { retryInMs: 50 };
    const id = `lease ${this.queries}`;
    free.state.leaseId = id;
    return { lease: { number: free.number, id, holder: 'me', waitMs: Math.max(0, free.state.freeAtMs - nowMs) } };
  }

  stillHolds(): boolean {
    return this.holds;
  }

  async release(
    _account: string,
    lease: Lease,
    { sinceAnswerMs, roundTripMs }: { sinceAnswerMs: number; roundTripMs: number | null },
  ): Promise<void> {
    const freeAtMs = this.#clock.nowMs() - sinceAnswerMs + COOLDOWN_MS;
    await this.#clock.wait(1);
    const state = this.#leases[lease.number];
    if (state?.leaseId !== lease.id) throw new Error('this lease was taken by another request');
    state.leaseId = null;
    state.freeAtMs = freeAtMs;
    this.released.push({ number: lease.number, sinceAnswerMs, roundTripMs });
  }

  pause(_account: string, forMs: number): Promise<void> {
    this.pausesMs.push(forMs);
    return Promise.resolve();
  }
}
