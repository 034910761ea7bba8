import type { RateLimiterClock } from '../../provider/rate-limiter/rate-limiter-clock.ts';
import { RateLimiterRefusal, type RateLimiter } from '../../provider/rate-limiter/rate-limiter.ts';
import { createRateLimiter } from '../../provider/rate-limiter/shared-rate-limiter.ts';
import { createRequestLeases } from '../../store/rate-limiter/request-leases.ts';
import { LeaseHolder } from '../../store/rate-limiter/lease-holder.ts';
import type { LeaseTable } from '../../store/rate-limiter/lease-table.ts';
import type { VirtualClock } from './virtual-clock.ts';

const HEARTBEAT_INTERVAL_MS = 1_000;
const TIMEOUT_MS = 2_000;
const STORE_TIMEOUT_MS = 2_000;
const RETRY_MS = 200;

/** What happens to a statement of the store. */
export type StoreFault = 'none' | 'refused' | 'answer lost' | 'carried out late' | 'hangs';

/** The environment of a process. All times are in milliseconds. */
export interface Surroundings {
  clock: VirtualClock;
  random: () => number;
  table: LeaseTable;
  limitPerSecond: number;
  minTripMs: number;
  maxTripMs: number;
  /** Called when a request reaches the provider; returns the answer. */
  arrive(): { answer: 'done' | 'none' } | { pauseMs: number };
}

/**
 * One process with the real rate limiter, leases and holder, in virtual time: it can be frozen, suspended, killed or
 * disconnected from the store, and its clocks can be set.
 */
export class SimulatedProcess {
  fault: StoreFault = 'none';
  /** Whether its requests are broken off before their answers. */
  breaksOff = false;
  finished = 0;
  #thawAtMs = 0;
  #isDead = false;
  #wallShiftMs = 1_700_000_000_000;
  #steadyShiftMs: number;
  readonly #around: Surroundings;
  readonly #rateLimiter: RateLimiter;
  readonly #holder: LeaseHolder;
  readonly #freeAbandoned: () => Promise<void>;
  readonly #clock: RateLimiterClock;

  constructor(around: Surroundings, name: string) {
    this.#around = around;
    const { clock, random } = around;
    this.#steadyShiftMs = random() * 1e6;
    const steadyMs = (): number => clock.nowMs() + this.#steadyShiftMs;
    this.#clock = {
      nowMs: steadyMs,
      sleep: async (forMs, signal) => {
        await clock.sleep(forMs, signal);
        await this.#awake();
      },
    };
    let ids = 0;
    const newId = (): string => `${name}-${(ids += 1)}`;
    const wallMs = (): number => clock.nowMs() + this.#wallShiftMs;
    const table = this.#overNetwork(around.table);
    this.#holder = new LeaseHolder(table, { steadyMs, wallMs }, newId);
    const limitsOf = () => ({ perSecond: around.limitPerSecond, perDay: 0, reservedPerDay: 0 });
    const store = createRequestLeases({ table, holder: this.#holder, limitsOf, newLeaseId: newId });
    this.#freeAbandoned = () => store.freeAbandoned();
    const limitPerSecond = around.limitPerSecond;
    this.#rateLimiter = createRateLimiter({ account: 'default', store, limitPerSecond, clock: this.#clock });
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Starts the heartbeat and sends requests; resolves when all requests have been answered or given up. */
  async start(requests: number, atOnce: number): Promise<void> {
    void this.#runHeartbeat();
    let begun = 0;
    const sender = async (): Promise<void> => {
      while (begun < requests) {
        begun += 1;
        await this.#sendOne();
        this.finished += 1;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sender));
  }

  freeze(forMs: number): void {
    this.#thawAtMs = Math.max(this.#thawAtMs, this.#around.clock.nowMs() + forMs);
  }

  /** As a machine that sleeps: its monotonic clock stops. */
  suspend(forMs: number): void {
    this.freeze(forMs);
    this.#steadyShiftMs -= forMs;
  }

  kill(): void {
    this.#isDead = true;
  }

  setWallClock(byMs: number): void {
    this.#wallShiftMs += byMs;
  }

  async #awake(): Promise<void> {
    const { clock } = this.#around;
    while (clock.nowMs() < this.#thawAtMs) await clock.wait(this.#thawAtMs - clock.nowMs());
    if (this.#isDead) await new Promise(() => undefined);
  }

  async #runHeartbeat(): Promise<void> {
    for (;;) {
      await this.#holder
        .heartbeat()
        .then(this.#freeAbandoned)
        .catch(() => undefined);
      await this.#clock.sleep(HEARTBEAT_INTERVAL_MS, new AbortController().signal);
    }
  }

  async #sendOne(): Promise<void> {
    for (;;) {
      try {
        await this.#rateLimiter.run((_signal, lease) => this.#exchange(lease));
        return;
      } catch (error) {
        if (!(error instanceof RateLimiterRefusal)) return;
        await this.#clock.sleep(RETRY_MS, new AbortController().signal);
      }
    }
  }

  async #exchange(lease: { answered(ms: number): void; pause(ms: number): void }): Promise<void> {
    const { clock, random, minTripMs, maxTripMs } = this.#around;
    const roundTripMs = minTripMs + random() * (maxTripMs - minTripMs);
    const outwardMs = roundTripMs * random();
    // A sent request arrives even if its sender fails.
    if (this.breaksOff) {
      clock.after(outwardMs, () => this.#around.arrive());
      await clock.wait(outwardMs * random());
      await this.#awake();
      throw new Error('broken off');
    }
    const outcome = await new Promise<ReturnType<Surroundings['arrive']>>((resolve) => {
      clock.after(outwardMs, () => resolve(this.#around.arrive()));
    });
    if ('answer' in outcome && outcome.answer === 'none') {
      await clock.wait(TIMEOUT_MS);
      await this.#awake();
      throw new Error('no answer');
    }
    await clock.wait(roundTripMs - outwardMs);
    await this.#awake();
    lease.answered(roundTripMs);
    if ('pauseMs' in outcome) lease.pause(outcome.pauseMs);
  }

  /** The table over a network, with the current faults. */
  #overNetwork(table: LeaseTable): LeaseTable {
    const over = async <T>(statement: () => Promise<T>): Promise<T> => {
      const { clock, random } = this.#around;
      const wayMs = (): number => 0.1 + random() * 0.9;
      const { fault } = this;
      await clock.wait(wayMs());
      if (fault === 'carried out late') clock.after(random() * 10_000, () => void statement());
      if (fault === 'none' || fault === 'answer lost') {
        const answer = await statement();
        await clock.wait(wayMs());
        await this.#awake();
        if (fault === 'none') return answer;
      } else if (fault !== 'refused') {
        await clock.wait(STORE_TIMEOUT_MS);
        await this.#awake();
      }
      throw new Error('the store is unreachable');
    };
    return {
      take: (wanted) => over(() => table.take(wanted)),
      free: (freed) => over(() => table.free(freed)),
      pause: (account, forMs) => over(() => table.pause(account, forMs)),
      register: (holder, clockMs) => over(() => table.register(holder, clockMs)),
      deregister: (holder) => over(() => table.deregister(holder)),
      heartbeat: (holder, clockMs, dead) => over(() => table.heartbeat(holder, clockMs, dead)),
    };
  }
}
