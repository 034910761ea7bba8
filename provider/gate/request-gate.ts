/**
 * The gate that every request of a provider account passes, over all processes, so that no second holds more requests
 * than the limit allows. Contract: account 8.
 *
 * Slots live in the store, as many as the limit allows in a second. This side queues first come first served, waits
 * until the slot may be used, and says when its request was answered.
 */
export interface RequestGate {
  /**
   * Waits for a slot, then calls `send` once. Rejects with what `send` rejects with, or, before `send` was called, with
   * `GateRefusal`. A `send` that resolves counts as answered at that moment unless it said so itself.
   */
  run<T>(send: Send<T>, options?: PassOptions): Promise<T>;
  /** Resolves when the requests that have ended have given their slots back. For an orderly end, after the last one. */
  drained(): Promise<void>;
}

export interface PassOptions {
  signal?: AbortSignal | undefined;
  /** It finishes what is begun with the provider, so that the last requests of a day are for it. */
  mayUseReserve?: boolean;
}

export type Send<T> = (signal: AbortSignal, slot: UsedSlot) => Promise<T>;

/** What a request says about itself while it holds a slot. */
export interface UsedSlot {
  /** The provider answered, with any status. */
  answered(roundTripMs: number): void;
  /**
   * The provider asks for a pause: nobody sends until it is over. Null: it does not say for how long, so it lasts twice as
   * long each time that it is asked for again as soon as it is over.
   */
  pause(forMs: number | null): void;
  /** Throws GateRefusal when the slot is no longer this process's, or a pause began: for who took time since it was. */
  recheck: () => void;
}

export interface SlotTicket {
  slot: number;
  lease: string;
  /** Who took it: a process is another one after it was thought dead. */
  holder: string;
  /** From now until the request may be sent. */
  waitMs: number;
}

/** What the store does for the gate: the slots of all processes, each taken and given back in one statement. */
export interface SlotStore {
  /**
   * The slot that is free first, or when to ask again (all are in use). `spentForMs`: the day's budget is used up for
   * such requests, and it is worth asking again after so long.
   */
  take(
    account: string,
    options: { mayUseReserve: boolean },
  ): Promise<{ ticket: SlotTicket } | { retryInMs: number } | { spentForMs: number }>;
  /** Whether the slot is still ours: asked just before sending, as this process may have been taken for dead. */
  stillHolds(ticket: SlotTicket): boolean;
  /** `sinceAnswerMs`: since its request was answered, or given up. */
  release(account: string, ticket: SlotTicket, outcome: { sinceAnswerMs: number }): Promise<void>;
  pause(account: string, forMs: number): Promise<void>;
}

/** A request that was not sent: given up while waiting, the store could not be asked, or the day is used up. */
export class GateRefusal extends Error {
  override readonly name = 'GateRefusal';
  /** When it is worth trying again, where that is known. */
  readonly retryInMs: number | null;
  constructor(reason: string, options: { cause?: unknown; retryInMs?: number } = {}) {
    super(reason, 'cause' in options ? { cause: options.cause } : {});
    this.retryInMs = options.retryInMs ?? null;
  }
}

/** The limit is lifted: everything goes at once. */
export function createOpenGate(): RequestGate {
  const slot: UsedSlot = { answered: () => undefined, pause: () => undefined, recheck: () => undefined };
  return {
    run: async (send, options) => {
      if (options?.signal?.aborted) throw new GateRefusal('given up before it was sent');
      return send(options?.signal ?? new AbortController().signal, slot);
    },
    drained: () => Promise.resolve(),
  };
}
