import type { SlotStore, SlotTicket } from '../../provider/gate/request-gate.ts';
import type { VirtualClock } from './virtual-clock.ts';

const COOLDOWN_MS = 1_000;

/** Slots that one process shares with nobody, for tests of what the gate itself does with them. */
export class MemorySlotStore implements SlotStore {
  readonly released: { slot: number; sinceAnswerMs: number }[] = [];
  readonly pausesMs: number[] = [];
  questions = 0;
  asking = 0;
  mostAskingAtOnce = 0;
  holds = true;
  /** Set: only requests that may use the reserve are given slots. */
  spentForMs: number | null = null;
  readonly #clock: VirtualClock;
  readonly #slots: { freeAtMs: number; lease: string | null }[];

  constructor(clock: VirtualClock, limitPerSecond: number) {
    this.#clock = clock;
    this.#slots = Array.from({ length: limitPerSecond }, () => ({ freeAtMs: 0, lease: null }));
  }

  async take(_account: string, { mayUseReserve }: { mayUseReserve: boolean }): ReturnType<SlotStore['take']> {
    this.questions += 1;
    this.asking += 1;
    this.mostAskingAtOnce = Math.max(this.mostAskingAtOnce, this.asking);
    await this.#clock.wait(1);
    this.asking -= 1;
    if (this.spentForMs !== null && !mayUseReserve) return { spentForMs: this.spentForMs };
    const nowMs = this.#clock.nowMs();
    const free = this.#slots
      .map((state, slot) => ({ state, slot }))
      .filter(({ state }) => state.lease === null)
      .sort((one, other) => one.state.freeAtMs - other.state.freeAtMs)[0];
    if (free === undefined) return { retryInMs: 50 };
    const lease = `lease ${this.questions}`;
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
    if (state?.lease !== ticket.lease) throw new Error('this slot is in other hands');
    state.lease = null;
    state.freeAtMs = freeAtMs;
    this.released.push({ slot: ticket.slot, sinceAnswerMs });
  }

  pause(_account: string, forMs: number): Promise<void> {
    this.pausesMs.push(forMs);
    return Promise.resolve();
  }
}
