import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { PeerClocks } from './peer-clocks.ts';
import type { Beat, SlotTable } from './slot-table.ts';

/** A process is dead to the others when they have seen no beat of it for so long, each by its own steady clock. */
const LEASE_MS = 3_000;
const BEAT_EVERY_MS = 1_000;

/** Kept back from the lease, so that what is sent at its very end has arrived when others count it as over. */
const SAFETY_MS = 250;

export interface HolderClocks {
  /** Goes on evenly, whatever is done to the wall clock. Milliseconds. */
  steadyMs: () => number;
  /** Milliseconds since 1970. */
  wallMs: () => number;
}

const PROCESS_CLOCKS: HolderClocks = { steadyMs: () => performance.now(), wallMs: () => Date.now() };

/**
 * This process as a holder of request slots: alive while its beat goes on, silent as soon as it does not. A lease that
 * has lapsed once is never renewed, since others may have its slots: the process goes on under another id.
 */
export class SlotHolder {
  readonly clocks: HolderClocks;
  readonly peers = new PeerClocks();
  readonly #table: SlotTable;
  readonly #newId: () => string;
  readonly #own = new Set<string>();
  /** When each other holder's beat was first seen. */
  #seen = new Map<string, Beat & { firstSeenMs: number }>();
  #current: string | null = null;
  #lastId = '';
  #endsAtMs = 0;
  #wallEndsAtMs = 0;
  #beating: Promise<void> | null = null;

  constructor(table: SlotTable, clocks: HolderClocks = PROCESS_CLOCKS, newId: () => string = randomUUID) {
    this.#table = table;
    this.clocks = clocks;
    this.#newId = newId;
  }

  /** The id under which slots are taken now; null while the record is out of reach. */
  get current(): string | null {
    return this.#current !== null && this.mayStillSend(this.#current) ? this.#current : null;
  }

  /** The latest id, alive or not: what this process writes is of its clock. */
  get lastId(): string {
    return this.#lastId;
  }

  /** Whether slots taken under this id are still its own. A frozen process finds that they are not when it goes on. */
  mayStillSend(holder: string): boolean {
    // The wall clock is asked too: the steady one stands still while a machine sleeps. When it is set forward, the
    // process is silent until its next beat.
    const { steadyMs, wallMs } = this.clocks;
    return holder === this.#current && steadyMs() < this.#endsAtMs && wallMs() < this.#wallEndsAtMs;
  }

  /** Whether the id is or was this process's: its times are then of our own clock. */
  isOwn(holder: string): boolean {
    return this.#own.has(holder);
  }

  /** One beat; those that come while one is under way are that one. Rejects when the record is out of reach. */
  beat(): Promise<void> {
    this.#beating ??= this.#beatOnce().finally(() => {
      this.#beating = null;
    });
    return this.#beating;
  }

  async leave(): Promise<void> {
    const leaving = this.#current;
    this.#current = null;
    if (leaving !== null) await this.#table.leave(leaving);
  }

  async #beatOnce(): Promise<void> {
    // From before the statement: others count from after it, so that our end of the lease is always before theirs.
    const beforeMs = this.clocks.steadyMs();
    const wallBeforeMs = this.clocks.wallMs();
    const holder = this.current ?? (await this.#enterAnew(beforeMs));
    const { renewed, holders } = await this.#table.beat(holder, beforeMs, this.#deadAt(beforeMs));
    this.#watch(holders);
    if (!renewed) {
      this.#current = null;
      return;
    }
    this.#current = holder;
    this.#endsAtMs = beforeMs + LEASE_MS - SAFETY_MS;
    this.#wallEndsAtMs = wallBeforeMs + LEASE_MS - SAFETY_MS;
  }

  async #enterAnew(nowMs: number): Promise<string> {
    this.#current = null;
    const holder = this.#newId();
    this.#own.add(holder);
    this.#lastId = holder;
    await this.#table.enter(holder, nowMs);
    return holder;
  }

  #deadAt(nowMs: number): Beat[] {
    return [...this.#seen.values()].filter(({ firstSeenMs }) => nowMs - firstSeenMs >= LEASE_MS);
  }

  #watch(holders: readonly (Beat & { clockMs: number })[]): void {
    const nowMs = this.clocks.steadyMs();
    const seen = new Map<string, Beat & { firstSeenMs: number }>();
    for (const { holder, beat, clockMs } of holders) {
      if (holder === this.#current) continue;
      if (!this.isOwn(holder)) this.peers.note(holder, clockMs, nowMs);
      const before = this.#seen.get(holder);
      seen.set(holder, before?.beat === beat ? before : { holder, beat, firstSeenMs: nowMs });
    }
    this.#seen = seen;
  }
}

export interface RunningHolder {
  holder: SlotHolder;
  stop(): Promise<void>;
}

/** Rejects when the record is out of reach at the start; later that only keeps this process silent. */
export async function startSlotHolder(table: SlotTable, onBeat: () => Promise<void>): Promise<RunningHolder> {
  const holder = new SlotHolder(table);
  await holder.beat();
  const timer = setInterval(() => {
    // A beat that fails leaves the lease to lapse, which is what stops the sending.
    void holder
      .beat()
      .then(onBeat)
      .catch(() => undefined);
  }, BEAT_EVERY_MS);
  return {
    holder,
    stop: async () => {
      clearInterval(timer);
      await holder.leave();
    },
  };
}
