import type { SlotStore, SlotTicket } from '../../provider/gate/request-gate.ts';
import type { VirtualClock } from './virtual-clock.ts';

const COOLDOWN_MS = 1_000;

/** A slot store for one process, to test the gate alone. */
export class MemorySlotStore implements SlotStore {
  readonly released: { slot: number; sinceAnswerMs: number }[] = [];
  readonly pausesMs: number[] = [];
  queries = 0;
  activeQueries = 0;
  maxConcurrentQueries = 0;
  holds = true;
  /** If set, only requests that may use the reserve get slots. */
  exhaustedForMs: number | null = null;
  readonly #clock: VirtualClock;
  readonly #slots: { freeAtMs: number; lease: string | null }[];

  constructor(clock: VirtualClock, limitPerSecond: number) {
    this.#clock = clock;
    this.#slots = Array.from({ length: limitPerSecond }, () => ({ freeAtMs: 0, lease: null }));
  }

  async take(_account: string, { mayUseReserve }: { mayUseReserve: boolean }): ReturnType<SlotStore['take']> {
    this.queries += 1;
    this.activeQueries += 1;
    this.maxConcurrentQueries = Math.max(this.maxConcurrentQueries, this.activeQueries);
    await this.#clock.wait(1);
    this.activeQueries -= 1;
    if (this.exhaustedForMs !== null && !mayUseReserve) return { exhaustedForMs: this.exhaustedForMs };
    const nowMs = this.#clock.nowMs();
    const free = this.#slots
      .map((state, slot) => ({ state, slot }))
      .filter(({ state }) => state.lease === null)
      .sort((one, other) => one.state.freeAtMs - other.state.freeAtMs)[0];
    if (free === undefined) return { retryInMs: 50 };
    const lease = `lease ${this.queries}`;
    free.state.lease = lease;
    return { ticket: { slot: free.slot, lease, holder: 'me', waitMs: Math.max(0, free.state.freeAtMs - nowMs) } };
  }

  stillHolds(): boolean {
    return this.holds;
  }

  async release(_account: string, ticket: SlotTicket, { sinceAnswerMs }: { sinceAnswerMs: number }): Promise<void> {
    const freeAtMs = this.#clock.nowMs() - sinceAnswerMs + COOLDOWN_MS;
    await this.#clock.wait(1);
    const state = this.#slots[ticket.slot];
    if (state?.lease !== ticket.lease) throw new Error('this slot belongs to another lease');
    state.lease = null;
    state.freeAtMs = freeAtMs;
    this.released.push({ slot: ticket.slot, sinceAnswerMs });
  }

  pause(_account: string, forMs: number): Promise<void> {
    this.pausesMs.push(forMs);
    return Promise.resolve();
  }
}
