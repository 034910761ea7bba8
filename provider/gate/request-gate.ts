/**
 * The gate that every request of a provider account passes, in all processes, so that no second has more requests than
 * the limit allows. Contract: account 8.
 *
 * The store has one slot for each request per second. A process queues its requests in the order of their arrival,
 * waits until its slot may be used, and releases the slot after the answer.
 */
export interface RequestGate {
  /**
   * Waits for a slot, then calls `send` once. Rejects as `send` does, or with `GateRefusal` if `send` was not called.
   * If `send` resolves without a call of `answered`, the request counts as answered at that moment.
   */
  run<T>(send: Send<T>, options?: PassOptions): Promise<T>;
  /** Resolves when all finished requests have released their slots. For shutdown, after the last request. */
  drained(): Promise<void>;
}

export interface PassOptions {
  signal?: AbortSignal | undefined;
  /** Whether it may use the requests of the day that are reserved for payments that the provider already has. */
  mayUseReserve?: boolean;
}

export type Send<T> = (signal: AbortSignal, slot: UsedSlot) => Promise<T>;

/** What a request reports while it has its slot. */
export interface UsedSlot {
  /** The provider answered, with any status. */
  answered(roundTripMs: number): void;
  /**
   * The provider requests a pause: no process sends until it is over. Null if it gives no duration: then each further
   * pause that it requests soon after the last one is twice as long.
   */
  pause(forMs: number | null): void;
  /** For a request that waited since it got its slot. @throws GateRefusal when the slot has expired or a pause began */
  recheck: () => void;
}

export interface SlotTicket {
  slot: number;
  lease: string;
  /** The process that took it: one that expired continues as a new holder. */
  holder: string;
  /** The time until the request may be sent. */
  waitMs: number;
}

/** The slots of all processes. Each is taken and released in one statement. */
export interface SlotStore {
  /**
   * The slot that is free first, or when to try again because all are in use. `exhaustedForMs`: the day's requests of
   * this kind are used up, and it is worth trying again after this time.
   */
  take(
    account: string,
    options: { mayUseReserve: boolean },
  ): Promise<{ ticket: SlotTicket } | { retryInMs: number } | { exhaustedForMs: number }>;
  /** Whether the slot is still ours. Checked just before sending, since this process may have expired meanwhile. */
  stillHolds(ticket: SlotTicket): boolean;
  /** `sinceAnswerMs`: the time since its request was answered or given up. */
  release(account: string, ticket: SlotTicket, outcome: { sinceAnswerMs: number }): Promise<void>;
  pause(account: string, forMs: number): Promise<void>;
}

/** A request that was not sent: it was given up, the store failed, or the day's requests are used up. */
export class GateRefusal extends Error {
  override readonly name = 'GateRefusal';
  /** When it is worth trying again, if known. */
  readonly retryInMs: number | null;
  constructor(reason: string, options: { cause?: unknown; retryInMs?: number } = {}) {
    super(reason, 'cause' in options ? { cause: options.cause } : {});
    this.retryInMs = options.retryInMs ?? null;
  }
}

/** The gate of an account without a limit: every request is sent at once. */
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
