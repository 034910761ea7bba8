import type { ScheduledEvent, Clock } from '../core/clock.ts';
import type { Faults } from '../faults/faults.ts';
import { isRecord, type Json, writeJson } from '../core/json.ts';
import { Ring } from '../core/ring.ts';

/** A notification and the result of sending it. */
export interface Delivery {
  /** 1 for the account's first; a duplicate has the number of its original, a forged notification has 0. */
  readonly number: number;
  readonly at: string;
  readonly body: string;
  /** Finished attempts. */
  attempts: number;
  /** The status of the last attempt; null when there was no answer. */
  lastStatus: number | null;
  outcome: 'waiting' | 'delivered' | 'given_up' | 'dropped';
  /** Whether it was made up, to test whether the receiver accepts it. */
  readonly forged: boolean;
}

/** The final result of a notification that is not sent again. */
export type DeliveryResult = Pick<Delivery, 'number' | 'attempts' | 'lastStatus' | 'outcome'>;

export interface WebhookAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface WebhookDependencies {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly address: WebhookAddress | null;
  /** Sends nothing before `resume`, for the replay of a state file. */
  readonly isPaused: boolean;
  /** Called for every notification that is not sent again. */
  readonly onEnded: (delivery: DeliveryResult) => void;
}

const MAX_ATTEMPTS = 5;
const FIRST_BACKOFF_MS = 1000;
const TIMEOUT_MS = 10_000;
const MAX_DELIVERIES = 1000;
const FORGED_NUMBER = 0;

/**
 * Sends the notifications of one API key in order, at least once: a notification that is not answered with a 2xx is
 * sent up to five times, after 1, 2, 4 and 8 seconds of the sandbox's clock, and blocks the following ones.
 */
export class Webhooks {
  readonly #clock: Clock;
  readonly #faults: Faults;
  readonly #recent = new Ring<Delivery>(MAX_DELIVERIES);
  readonly #closing = new AbortController();
  #queue: Delivery[] = [];
  /** Held back until the next notification is sent, or their appointment comes. */
  #heldBack: { readonly delivery: Delivery; readonly release: ScheduledEvent }[] = [];
  #sending = false;
  #isPaused: boolean;
  #notificationCount = 0;
  #address: WebhookAddress | null;
  readonly #onEnded: WebhookDependencies['onEnded'];

  constructor({ clock, faults, address, isPaused, onEnded }: WebhookDependencies) {
    this.#clock = clock;
    this.#faults = faults;
    this.#address = address;
    this.#isPaused = isPaused;
    this.#onEnded = onEnded;
  }

  get url(): string | null {
    return this.#address?.url ?? null;
  }

  /** Sets the address; null stops sending and discards the waiting notifications. */
  setAddress(address: WebhookAddress | null): void {
    this.#address = address;
    if (!address) this.#discardWaiting();
  }

  /** The latest deliveries, oldest first. */
  recent(): Delivery[] {
    return this.#recent.list();
  }

  notify(body: Json): void {
    this.#notificationCount += 1;
    if (!this.#address || this.#closing.signal.aborted) return;
    const fault = this.#faults.take('webhook');
    if (fault?.kind === 'webhook_forge') void this.forge(writeJson(forgedBody(body)), false);
    const delivery = this.#record(this.#notificationCount, writeJson(body), false);
    switch (fault?.kind) {
      case 'webhook_drop':
        delivery.outcome = 'dropped';
        this.#onEnded(resultOf(delivery));
        return;
      case 'webhook_delay':
        this.#clock.after(fault.delayMs ?? 0, () => this.#enqueue(delivery));
        return;
      case 'webhook_reorder':
        this.#holdBack(delivery, fault.delayMs ?? 0);
        return;
      default:
        this.#enqueue(delivery);
        if (fault?.kind === 'webhook_duplicate') this.#enqueue({ ...delivery });
        this.#releaseHeldBack();
    }
  }

  /**
   * Sends a text once, ahead of the waiting notifications, with or without the configured headers.
   * @returns the status of the answer; null when there was no answer, or no address is set
   */
  async forge(text: string, withHeaders: boolean): Promise<number | null> {
    const delivery = this.#record(FORGED_NUMBER, text, true);
    delivery.lastStatus = await this.#post(text, withHeaders);
    delivery.attempts = 1;
    delivery.outcome = isAccepted(delivery.lastStatus) ? 'delivered' : 'given_up';
    return delivery.lastStatus;
  }

  /** Restores the result of a notification during a replay. */
  restoreResult({ number, ...result }: DeliveryResult): void {
    const hasNumber = (delivery: Delivery): boolean => delivery.number === number;
    const delivery = this.#queue.find(hasNumber) ?? this.recent().find(hasNumber);
    if (delivery) Object.assign(delivery, result);
    this.#queue = this.#queue.filter((waiting) => waiting !== delivery);
  }

  /** Sends the waiting notifications, and new ones from now on. */
  resume(): void {
    this.#isPaused = false;
    if (!this.#sending) void this.#sendAll();
  }

  close(): void {
    this.#closing.abort();
    this.#discardWaiting();
  }

  #discardWaiting(): void {
    this.#queue = [];
    for (const { release } of this.#heldBack) release.cancelled = true;
    this.#heldBack = [];
  }

  #record(number: number, text: string, forged: boolean): Delivery {
    const at = new Date(this.#clock.now()).toISOString();
    const delivery: Delivery = { number, at, body: text, attempts: 0, lastStatus: null, outcome: 'waiting', forged };
    this.#recent.add(delivery);
    return delivery;
  }

  #holdBack(delivery: Delivery, delayMs: number): void {
    const release = this.#clock.after(delayMs, () => {
      this.#heldBack = this.#heldBack.filter((held) => held.delivery !== delivery);
      this.#enqueue(delivery);
    });
    this.#heldBack.push({ delivery, release });
  }

  #releaseHeldBack(): void {
    for (const { delivery, release } of this.#heldBack.splice(0)) {
      release.cancelled = true;
      this.#enqueue(delivery);
    }
  }

  #enqueue(delivery: Delivery): void {
    if (!this.#address) return;
    this.#queue.push(delivery);
    if (!this.#sending && !this.#isPaused) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#sending = true;
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      await this.#attempt(next);
      if (this.#closing.signal.aborted) return;
      if (next.outcome === 'waiting') {
        this.#clock.after(FIRST_BACKOFF_MS * 2 ** (next.attempts - 1), () => void this.#sendAll());
        return;
      }
      this.#onEnded(resultOf(next));
      if (this.#queue[0] === next) this.#queue.shift();
    }
    this.#sending = false;
  }

  async #attempt(delivery: Delivery): Promise<void> {
    delivery.lastStatus = await this.#post(delivery.body, true);
    delivery.attempts += 1;
    if (isAccepted(delivery.lastStatus)) delivery.outcome = 'delivered';
    else if (delivery.attempts >= MAX_ATTEMPTS) delivery.outcome = 'given_up';
  }

  /** The status of the answer; null without one: connection refused, timeout, or the address was removed. */
  async #post(body: string, withHeaders: boolean): Promise<number | null> {
    if (!this.#address) return null;
    try {
      const response = await fetch(this.#address.url, {
        method: 'POST',
        headers: { ...(withHeaders ? this.#address.headers : {}), 'content-type': 'application/json' },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return null;
    }
  }
}

const resultOf = ({ number, attempts, lastStatus, outcome }: Delivery): DeliveryResult => ({
  number,
  attempts,
  lastStatus,
  outcome,
});

const isAccepted = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** A forged notification: the original one with a successful final status. */
export function forgedBody(body: Json): Json {
  if (!isRecord(body)) return body;
  // A notification of a user may not name its resource.
  const isOfUser = (body['resource'] ?? 'user') === 'user' && 'resourceId' in body;
  const status = isOfUser || body['action'] === 'request' ? 'approved' : 'completed';
  return { ...body, status, ...('reason' in body ? { reason: null } : {}) };
}
