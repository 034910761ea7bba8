import { type GateClock, monotonicClock, sleepUntil } from './gate-clock.ts';
import {
  createOpenGate,
  GateRefusal,
  type PassOptions,
  type RequestGate,
  type Send,
  type SlotStore,
  type SlotTicket,
  type UsedSlot,
} from './request-gate.ts';
import { DEFAULT_PAUSE_MS, LONGEST_PAUSE_MS } from './retry-after.ts';

export interface GateOptions {
  account: string;
  store: SlotStore;
  /** Requests in any second; 0 when the limit is lifted. */
  limitPerSecond: number;
  /** A slot could not be given back, or a pause not stored. The result of the request stands; the store heals itself. */
  onStoreError?: (error: unknown) => void;
  clock?: GateClock;
}

/** The gate of one provider account in one process. Contract: account 8. */
export function createRequestGate(options: GateOptions): RequestGate {
  return options.limitPerSecond === 0 ? createOpenGate() : new SharedGate(options);
}

/** A signal of its own each time: one for all would gather listeners. */
const never = (): AbortSignal => new AbortController().signal;

interface Waiter {
  mayUseReserve: boolean;
  admit(place: Place): void;
  refuse(refusal: GateRefusal): void;
}

interface Place {
  ticket: SlotTicket;
  readyAtMs: number;
}

/** Between two looks whether this process counts among the living again. */
const REVIVAL_CHECK_MS = 250;

/**
 * The least pause after the store had no slot. A slot just given back cannot be used for most of a second, so nobody
 * loses by it, and other processes have their chance: else the one that gives a slot back would always take it again.
 */
const FAIR_PAUSE_MS = 40;

/** A pause that is asked for again so soon goes on, as the provider sees it. */
const AGAIN_WITHIN_MS = 5_000;

/** A request that ended without an answer, broken off or given up, may arrive so much later. Its slot is out until then. */
const MAY_YET_ARRIVE_MS = 2_000;

class SharedGate implements RequestGate {
  readonly #options: GateOptions;
  readonly #clock: GateClock;
  readonly #queue: Waiter[] = [];
  readonly #storing = new Set<Promise<void>>();
  #asking = false;
  /** Counts slots given back and waiters gone, so that none of these is missed while the store is being asked. */
  #changes = 0;
  #rest = new AbortController();
  #pausedUntilMs = Number.NEGATIVE_INFINITY;
  #pausing: Promise<void> = Promise.resolve();
  /** The last pause of which the provider did not say how long it was to be. */
  #backOffMs = DEFAULT_PAUSE_MS;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#clock = options.clock ?? monotonicClock;
  }

  async run<T>(send: Send<T>, options: PassOptions = {}): Promise<T> {
    const signal = options.signal ?? never();
    for (;;) {
      const place = await this.#queueUp(signal, options.mayUseReserve ?? false);
      await this.#waitForTurn(place, signal);
      if (signal.aborted) {
        this.#giveBack(place.ticket, 0);
        throw new GateRefusal('given up before it was sent');
      }
      if (this.#options.store.stillHolds(place.ticket)) return await this.#sendOn(place.ticket, send, signal);
      this.#giveBack(place.ticket, 0);
      await this.#clock.sleep(REVIVAL_CHECK_MS, signal);
    }
  }

  async drained(): Promise<void> {
    while (this.#storing.size > 0) await Promise.all(this.#storing);
  }

  #queueUp(signal: AbortSignal, mayUseReserve: boolean): Promise<Place> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(new GateRefusal('given up before it was sent'));
        return;
      }
      const giveUp = (): void => {
        this.#queue.splice(this.#queue.indexOf(waiter), 1);
        this.#noteChange();
        reject(new GateRefusal('given up before it was sent'));
      };
      const waiter: Waiter = {
        mayUseReserve,
        admit: (place) => {
          signal.removeEventListener('abort', giveUp);
          resolve(place);
        },
        refuse: (refusal) => {
          signal.removeEventListener('abort', giveUp);
          reject(refusal);
        },
      };
      signal.addEventListener('abort', giveUp);
      this.#queue.push(waiter);
      void this.#askForSlots();
    });
  }

  /** One question at a time for the whole process: more would only crowd the store, and could overtake each other. */
  async #askForSlots(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    while (this.#queue.length > 0) {
      const changesBefore = this.#changes;
      const retryInMs = await this.#askOnce();
      if (retryInMs === null) continue;
      await this.#clock.sleep(FAIR_PAUSE_MS, never());
      if (retryInMs <= FAIR_PAUSE_MS || this.#changes !== changesBefore) continue;
      this.#rest = new AbortController();
      await this.#clock.sleep(retryInMs - FAIR_PAUSE_MS, this.#rest.signal);
    }
    this.#asking = false;
  }

  /** Milliseconds until the next question, or null when this one was of use. */
  async #askOnce(): Promise<number | null> {
    const { account, store } = this.#options;
    const first = this.#queue[0];
    if (first === undefined) return null;
    try {
      const answer = await store.take(account, { mayUseReserve: first.mayUseReserve });
      if ('retryInMs' in answer) return answer.retryInMs;
      if ('spentForMs' in answer) {
        this.#remove(first)?.refuse(
          new GateRefusal("the day's requests are used up", { retryInMs: answer.spentForMs }),
        );
        return null;
      }
      const { ticket } = answer;
      const next = this.#remove(first);
      if (next === undefined) this.#giveBack(ticket, 0);
      else next.admit({ ticket, readyAtMs: this.#clock.nowMs() + ticket.waitMs });
    } catch (cause) {
      this.#remove(first)?.refuse(new GateRefusal('the store gave no slot', { cause }));
    }
    return null;
  }

  /** Undefined: it was given up meanwhile. */
  #remove(waiter: Waiter): Waiter | undefined {
    const index = this.#queue.indexOf(waiter);
    return index === -1 ? undefined : this.#queue.splice(index, 1)[0];
  }

  async #waitForTurn(place: Place, signal: AbortSignal): Promise<void> {
    const turnMs = (): number => Math.max(place.readyAtMs, this.#pausedUntilMs);
    // A pause may begin while this one waits.
    while (!signal.aborted && this.#clock.nowMs() < turnMs()) await sleepUntil(this.#clock, turnMs(), signal);
  }

  async #sendOn<T>(ticket: SlotTicket, send: Send<T>, signal: AbortSignal): Promise<T> {
    const answer: { atMs: number | null } = { atMs: null };
    const slot: UsedSlot = {
      answered: () => {
        answer.atMs = this.#clock.nowMs();
      },
      pause: (forMs) => this.#pause(forMs),
      recheck: () => {
        const isPaused = this.#clock.nowMs() < this.#pausedUntilMs;
        if (!signal.aborted && !isPaused && this.#options.store.stillHolds(ticket)) return;
        // Nothing was sent: the slot need not wait for anything to arrive.
        answer.atMs = this.#clock.nowMs();
        throw new GateRefusal('its slot was over before it was sent');
      },
    };
    try {
      const result = await send(signal, slot);
      answer.atMs ??= this.#clock.nowMs();
      return result;
    } finally {
      if (answer.atMs === null) this.#giveBackWhenArrived(ticket);
      else this.#giveBack(ticket, this.#clock.nowMs() - answer.atMs);
    }
  }

  #giveBackWhenArrived(ticket: SlotTicket): void {
    const arrived = this.#clock.sleep(MAY_YET_ARRIVE_MS, never());
    void this.#store(arrived.then(() => this.#giveBack(ticket, 0)));
  }

  #pause(askedMs: number | null): void {
    const forMs = askedMs ?? this.#unnamedPauseMs();
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#clock.nowMs() + forMs);
    this.#pausing = this.#store(this.#options.store.pause(this.#options.account, forMs));
  }

  #unnamedPauseMs(): number {
    const sinceLastMs = this.#clock.nowMs() - this.#pausedUntilMs;
    // Requests that were under way together are answered together: the pause is the same one.
    if (sinceLastMs < 0) return -sinceLastMs;
    const isAgain = sinceLastMs <= Math.max(this.#backOffMs, AGAIN_WITHIN_MS);
    this.#backOffMs = isAgain ? Math.min(2 * this.#backOffMs, LONGEST_PAUSE_MS) : DEFAULT_PAUSE_MS;
    return this.#backOffMs;
  }

  /** A pause is stored before the slot goes back, so that no other process takes the slot and sends into the pause. */
  #giveBack(ticket: SlotTicket, sinceAnswerMs: number): void {
    const { account, store } = this.#options;
    const answeredAtMs = this.#clock.nowMs() - sinceAnswerMs;
    const release = (): Promise<void> =>
      store.release(account, ticket, { sinceAnswerMs: this.#clock.nowMs() - answeredAtMs });
    void this.#store(this.#pausing.then(release, release)).then(() => this.#noteChange());
  }

  #noteChange(): void {
    this.#changes += 1;
    this.#rest.abort();
  }

  /** Runs beside the request: an answer about money neither waits for the store nor is lost with it. */
  #store(work: Promise<void>): Promise<void> {
    const done = work.catch((error: unknown) => this.#options.onStoreError?.(error));
    this.#storing.add(done);
    return done.finally(() => this.#storing.delete(done));
  }
}
