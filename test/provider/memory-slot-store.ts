import type { SlotStore, SlotTicket } from '../../provider/request-gate.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** What is taken off the second that a slot rests after its answer. */
export type Credit = 'nothing' | 'least round trip';

/** The slots of an account as the store is to keep them, in memory: one instance serves any number of gates. */
export class MemorySlotStore implements SlotStore {
  readonly released: { slot: number; roundTripMs: number | null }[] = [];
  readonly pausesMs: number[] = [];
  questions = 0;
  asking = 0;
  mostAskingAtOnce = 0;
  readonly #clock: VirtualClock;
  readonly #credit: Credit;
  readonly #slots: { freeAtMs: number; lease: string | null }[];
  #pausedUntilMs = 0;
  #leastRoundTripMs = Number.POSITIVE_INFINITY;

  constructor(clock: VirtualClock, limitPerSecond: number, credit: Credit = 'nothing') {
    this.#clock = clock;
    this.#credit = credit;
    this.#slots = Array.from({ length: limitPerSecond }, () => ({ freeAtMs: 0, lease: null }));
  }

  async take(): Promise<{ ticket: SlotTicket } | { retryInMs: number }> {
    this.questions += 1;
    this.asking += 1;
    this.mostAskingAtOnce = Math.max(this.mostAskingAtOnce, this.asking);
    await this.#clock.wait(1);
    this.asking -= 1;
    const nowMs = this.#clock.nowMs();
    if (nowMs < this.#pausedUntilMs) return { retryInMs: this.#pausedUntilMs - nowMs };
    const free = this.#slots
      .map((state, slot) => ({ state, slot }))
      .filter(({ state }) => state.lease === null)
      .sort((one, other) => one.state.freeAtMs - other.state.freeAtMs)[0];
    if (free === undefined) return { retryInMs: 50 };
    const lease = `lease ${this.questions}`;
    free.state.lease = lease;
    return { ticket: { slot: free.slot, lease, waitMs: Math.max(0, free.state.freeAtMs - nowMs) } };
  }

  async release(_account: string, ticket: SlotTicket, outcome: { roundTripMs: number | null }): Promise<void> {
    const answeredMs = this.#clock.nowMs();
    await this.#clock.wait(1);
    const state = this.#slots[ticket.slot];
    if (state?.lease !== ticket.lease) throw new Error('this slot is in other hands');
    this.#leastRoundTripMs = Math.min(this.#leastRoundTripMs, outcome.roundTripMs ?? Number.POSITIVE_INFINITY);
    const credited = this.#credit === 'least round trip' && outcome.roundTripMs !== null;
    state.lease = null;
    state.freeAtMs = answeredMs + 1_000 - (credited ? this.#leastRoundTripMs : 0);
    this.released.push({ slot: ticket.slot, roundTripMs: outcome.roundTripMs });
  }

  pause(_account: string, forMs: number): Promise<void> {
    this.pausesMs.push(forMs);
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#clock.nowMs() + forMs);
    return Promise.resolve();
  }
}
