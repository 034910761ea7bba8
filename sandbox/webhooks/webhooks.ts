import type { Appointment, Clock } from '../core/clock.ts';
import type { Faults } from '../faults/faults.ts';
import { forgedBody } from '../faults/forged-body.ts';
import { type Json, writeJson } from '../core/json.ts';
import { Ring } from '../core/ring.ts';

/** How a notification fared. */
export interface Delivery {
  /** 1 is the account's first; a duplicate has the number of its original, a forged one has 0. */
  readonly number: number;
  readonly at: string;
  readonly body: string;
  /** Attempts that have ended. */
  attempts: number;
  /** Of the last attempt; null when nobody answered. */
  lastStatus: number | null;
  outcome: 'waiting' | 'delivered' | 'given_up' | 'dropped';
  /** Not what happened: sent to see whether it is believed. */
  readonly forged: boolean;
}

/** How a notification that is not tried again fared at last. */
export type EndedDelivery = Pick<Delivery, 'number' | 'attempts' | 'lastStatus' | 'outcome'>;

export interface WebhookAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface WebhookDependencies {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly address: WebhookAddress | null;
  /** Sends nothing until `goOn`: what happens is the past, done again. */
  readonly quiet: boolean;
  /** Told of every notification that ended. */
  readonly ended: (delivery: EndedDelivery) => void;
}

const ATTEMPTS = 5;
const FIRST_BACKOFF_MS = 1000;
const PATIENCE_MS = 10_000;
const KEPT_DELIVERIES = 1000;
const NOT_ANNOUNCED = 0;

/**
 * Sends the notifications of one API key, in their order, at least once: a notification that is not answered with a
 * 2xx is tried five times, after 1, 2, 4 and 8 seconds of the sandbox's clock, and holds up those behind it.
 */
export class Webhooks {
  readonly #clock: Clock;
  readonly #faults: Faults;
  readonly #recent = new Ring<Delivery>(KEPT_DELIVERIES);
  readonly #closing = new AbortController();
  #queue: Delivery[] = [];
  /** Held back until the next one has passed, or their appointment comes. */
  #held: { readonly delivery: Delivery; readonly latest: Appointment }[] = [];
  #sending = false;
  #quiet: boolean;
  #announced = 0;
  #address: WebhookAddress | null;
  readonly #ended: WebhookDependencies['ended'];

  constructor({ clock, faults, address, quiet, ended }: WebhookDependencies) {
    this.#clock = clock;
    this.#faults = faults;
    this.#address = address;
    this.#quiet = quiet;
    this.#ended = ended;
  }

  get url(): string | null {
    return this.#address?.url ?? null;
  }

  /** Sets the address; null sends nothing more, and forgets what waits. */
  setAddress(address: WebhookAddress | null): void {
    this.#address = address;
    if (!address) this.#forget();
  }

  /** The latest deliveries, oldest first. */
  recent(): Delivery[] {
    return this.#recent.list();
  }

  announce(body: Json): void {
    this.#announced += 1;
    if (!this.#address || this.#closing.signal.aborted) return;
    const fault = this.#faults.take('webhook');
    if (fault?.kind === 'webhook_forge') void this.forge(writeJson(forgedBody(body)), false);
    const delivery = this.#record(this.#announced, writeJson(body), false);
    switch (fault?.kind) {
      case 'webhook_drop':
        delivery.outcome = 'dropped';
        this.#ended(endingOf(delivery));
        return;
      case 'webhook_delay':
        this.#clock.after(fault.delayMs ?? 0, () => this.#enqueue(delivery));
        return;
      case 'webhook_reorder':
        this.#hold(delivery, fault.delayMs ?? 0);
        return;
      default:
        this.#enqueue(delivery);
        if (fault?.kind === 'webhook_duplicate') this.#enqueue({ ...delivery });
        this.#releaseHeld();
    }
  }

  /**
   * Sends a text once, past those that wait, with the configured headers or without.
   * @returns the status that it got; null when nobody answered, or no address is set
   */
  async forge(text: string, withHeaders: boolean): Promise<number | null> {
    const delivery = this.#record(NOT_ANNOUNCED, text, true);
    delivery.lastStatus = await this.#post(text, withHeaders);
    delivery.attempts = 1;
    delivery.outcome = isTaken(delivery.lastStatus) ? 'delivered' : 'given_up';
    return delivery.lastStatus;
  }

  /** Says of a notification how it had ended when all this happened first. */
  end({ number, ...ending }: EndedDelivery): void {
    const isMeant = (delivery: Delivery): boolean => delivery.number === number;
    const delivery = this.#queue.find(isMeant) ?? this.recent().find(isMeant);
    if (delivery) Object.assign(delivery, ending);
    this.#queue = this.#queue.filter((waiting) => waiting !== delivery);
  }

  /** Sends what waits, and from now on whatever is announced. */
  goOn(): void {
    this.#quiet = false;
    if (!this.#sending) void this.#sendAll();
  }

  close(): void {
    this.#closing.abort();
    this.#forget();
  }

  #forget(): void {
    this.#queue = [];
    for (const { latest } of this.#held) latest.cancelled = true;
    this.#held = [];
  }

  #record(number: number, text: string, forged: boolean): Delivery {
    const at = new Date(this.#clock.now()).toISOString();
    const delivery: Delivery = { number, at, body: text, attempts: 0, lastStatus: null, outcome: 'waiting', forged };
    this.#recent.add(delivery);
    return delivery;
  }

  #hold(delivery: Delivery, delayMs: number): void {
    const latest = this.#clock.after(delayMs, () => {
      this.#held = this.#held.filter((held) => held.delivery !== delivery);
      this.#enqueue(delivery);
    });
    this.#held.push({ delivery, latest });
  }

  #releaseHeld(): void {
    for (const { delivery, latest } of this.#held.splice(0)) {
      latest.cancelled = true;
      this.#enqueue(delivery);
    }
  }

  #enqueue(delivery: Delivery): void {
    if (!this.#address) return;
    this.#queue.push(delivery);
    if (!this.#sending && !this.#quiet) void this.#sendAll();
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
      this.#ended(endingOf(next));
      if (this.#queue[0] === next) this.#queue.shift();
    }
    this.#sending = false;
  }

  async #attempt(delivery: Delivery): Promise<void> {
    delivery.lastStatus = await this.#post(delivery.body, true);
    delivery.attempts += 1;
    if (isTaken(delivery.lastStatus)) delivery.outcome = 'delivered';
    else if (delivery.attempts >= ATTEMPTS) delivery.outcome = 'given_up';
  }

  /** The status of the answer, or null when there was none: refused, timed out, or no address any more. */
  async #post(body: string, withHeaders: boolean): Promise<number | null> {
    if (!this.#address) return null;
    try {
      const response = await fetch(this.#address.url, {
        method: 'POST',
        headers: { ...(withHeaders ? this.#address.headers : {}), 'content-type': 'application/json' },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(PATIENCE_MS)]),
      });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return null;
    }
  }
}

const endingOf = ({ number, attempts, lastStatus, outcome }: Delivery): EndedDelivery => ({
  number,
  attempts,
  lastStatus,
  outcome,
});

const isTaken = (status: number | null): boolean => status !== null && status >= 200 && status < 300;
