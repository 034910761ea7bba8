import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { PeerClocks } from './peer-clocks.ts';
import type { Heartbeat, LeaseTable } from './lease-table.ts';

/** A process counts as dead when the others have seen no heartbeat of it for this long, each by its own steady clock. */
const REGISTERED_FOR_MS = 3_000;
const HEARTBEAT_EVERY_MS = 1_000;

/** Subtracted from that, so that what is sent at its end has arrived when the others count it as expired. */
const SAFETY_MS = 250;

export interface HolderClocks {
  /** Monotonic, whatever happens to the wall clock. Milliseconds. */
  steadyMs: () => number;
  /** Milliseconds since 1970. */
  wallMs: () => number;
}

const PROCESS_CLOCKS: HolderClocks = { steadyMs: () => performance.now(), wallMs: () => Date.now() };

/**
 * This process as a holder of request leases. It may send only while its heartbeats succeed. An expired registration is never
 * renewed, because others may have its leases: the process continues under a new id.
 */
export class LeaseHolder {
  readonly clocks: HolderClocks;
  readonly peers = new PeerClocks();
  readonly #table: LeaseTable;
  readonly #newId: () => string;
  readonly #own = new Set<string>();
  /** When each other holder's latest heartbeat was first seen. */
  #seen = new Map<string, Heartbeat & { firstSeenMs: number }>();
  #current: string | null = null;
  #lastId = '';
  #endsAtMs = 0;
  #wallEndsAtMs = 0;
  #heartbeatUnderWay: Promise<void> | null = null;

  constructor(table: LeaseTable, clocks: HolderClocks = PROCESS_CLOCKS, newId: () => string = randomUUID) {
    this.#table = table;
    this.clocks = clocks;
    this.#newId = newId;
  }

  /** The id under which leases are taken now; null while the database is unreachable. */
  get current(): string | null {
    return this.#current !== null && this.mayStillSend(this.#current) ? this.#current : null;
  }

  /** The latest id, current or expired: what this process writes is by its clock. */
  get lastId(): string {
    return this.#lastId;
  }

  /** Whether this process still has the leases taken under this id. After a freeze it may have lost them. */
  mayStillSend(holder: string): boolean {
    // The wall clock is checked too, because the steady one stops while the machine sleeps. If it is set forward, the
    // process does not send until its next heartbeat.
    const { steadyMs, wallMs } = this.clocks;
    // guard: registered-by-the-steady-clock, registered-by-the-wall-clock
    return holder === this.#current && steadyMs() < this.#endsAtMs && wallMs() < this.#wallEndsAtMs;
  }

  /** Whether the id is or was this process's: then its times are by our clock. */
  isOwn(holder: string): boolean {
    return this.#own.has(holder);
  }

  /** Calls during a heartbeat share it. Rejects when the database is unreachable. */
  heartbeat(): Promise<void> {
    this.#heartbeatUnderWay ??= this.#heartbeatOnce().finally(() => {
      this.#heartbeatUnderWay = null;
    });
    return this.#heartbeatUnderWay;
  }

  async deregister(): Promise<void> {
    const holder = this.#current;
    this.#current = null;
    if (holder !== null) await this.#table.deregister(holder);
  }

  async #heartbeatOnce(): Promise<void> {
    // Counted from before the statement: the others count from after it, so our registration ends before they expire it.
    const beforeMs = this.clocks.steadyMs();
    const wallBeforeMs = this.clocks.wallMs();
    const holder = this.current ?? (await this.#register(beforeMs));
    const { renewed, holders } = await this.#table.heartbeat(holder, beforeMs, this.#expiredAt(beforeMs));
    this.#watch(holders);
    // guard: removed-goes-on-as-another
    if (!renewed) {
      this.#current = null;
      return;
    }
    this.#current = holder;
    this.#endsAtMs = beforeMs + REGISTERED_FOR_MS - SAFETY_MS;
    this.#wallEndsAtMs = wallBeforeMs + REGISTERED_FOR_MS - SAFETY_MS;
  }

  async #register(nowMs: number): Promise<string> {
    this.#current = null;
    const holder = this.#newId();
    this.#own.add(holder);
    this.#lastId = holder;
    await this.#table.register(holder, nowMs);
    return holder;
  }

  #expiredAt(nowMs: number): Heartbeat[] {
    // guard: dead-without-heartbeats
    return [...this.#seen.values()].filter(({ firstSeenMs }) => nowMs - firstSeenMs >= REGISTERED_FOR_MS);
  }

  #watch(holders: readonly (Heartbeat & { clockMs: number })[]): void {
    const nowMs = this.clocks.steadyMs();
    const seen = new Map<string, Heartbeat & { firstSeenMs: number }>();
    for (const { holder, heartbeat, clockMs } of holders) {
      if (holder === this.#current) continue;
      if (!this.isOwn(holder)) this.peers.note(holder, clockMs, nowMs);
      const before = this.#seen.get(holder);
      seen.set(holder, before?.heartbeat === heartbeat ? before : { holder, heartbeat, firstSeenMs: nowMs });
    }
    this.#seen = seen;
  }
}

export interface RunningHolder {
  holder: LeaseHolder;
  stop(): Promise<void>;
}

/** Rejects when the database is unreachable at the start; later this process then only stops sending. */
export async function startLeaseHolder(table: LeaseTable, onHeartbeat: () => Promise<void>): Promise<RunningHolder> {
  const holder = new LeaseHolder(table);
  await holder.heartbeat();
  const timer = setInterval(() => {
    // After a failed heartbeat the registration expires, and this process stops sending.
    void holder
      .heartbeat()
      .then(onHeartbeat)
      .catch(() => undefined);
  }, HEARTBEAT_EVERY_MS);
  return {
    holder,
    stop: async () => {
      clearInterval(timer);
      await holder.deregister();
    },
  };
}
