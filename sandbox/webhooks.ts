import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import { type Json, writeJson } from './json.ts';
import { Ring } from './ring.ts';

/** How a notification fared. */
export interface Delivery {
  readonly at: string;
  readonly body: string;
  /** Attempts that have ended. */
  attempts: number;
  /** Of the last attempt; null when nobody answered. */
  lastStatus: number | null;
  outcome: 'waiting' | 'delivered' | 'given_up' | 'dropped';
}

export interface WebhookAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const ATTEMPTS = 5;
const FIRST_BACKOFF_MS = 1000;
const PATIENCE_MS = 10_000;
const KEPT_DELIVERIES = 1000;

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
  #sending = false;
  #address: WebhookAddress | null;

  constructor(clock: Clock, faults: Faults, address: WebhookAddress | null) {
    this.#clock = clock;
    this.#faults = faults;
    this.#address = address;
  }

  get url(): string | null {
    return this.#address?.url ?? null;
  }

  /** Sets the address; null sends nothing more, and forgets what waits. */
  setAddress(address: WebhookAddress | null): void {
    this.#address = address;
    if (!address) this.#queue = [];
  }

  /** The latest deliveries, oldest first. */
  recent(): Delivery[] {
    return this.#recent.list();
  }

  announce(body: Json): void {
    if (!this.#address || this.#closing.signal.aborted) return;
    const delivery: Delivery = {
      at: new Date(this.#clock.now()).toISOString(),
      body: writeJson(body),
      attempts: 0,
      lastStatus: null,
      outcome: 'waiting',
    };
    this.#recent.add(delivery);
    const fault = this.#faults.take('webhook');
    if (fault?.kind === 'webhook_drop') {
      delivery.outcome = 'dropped';
      return;
    }
    if (fault?.kind === 'webhook_delay') {
      this.#clock.after(fault.delayMs, () => this.#enqueue(delivery));
      return;
    }
    this.#enqueue(delivery);
    if (fault?.kind === 'webhook_duplicate') this.#enqueue({ ...delivery });
  }

  close(): void {
    this.#closing.abort();
    this.#queue = [];
  }

  #enqueue(delivery: Delivery): void {
    this.#queue.push(delivery);
    if (!this.#sending) void this.#sendAll();
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
      if (this.#queue[0] === next) this.#queue.shift();
    }
    this.#sending = false;
  }

  async #attempt(delivery: Delivery): Promise<void> {
    delivery.lastStatus = await this.#post(delivery.body);
    delivery.attempts += 1;
    const delivered = delivery.lastStatus !== null && delivery.lastStatus >= 200 && delivery.lastStatus < 300;
    if (delivered) delivery.outcome = 'delivered';
    else if (delivery.attempts >= ATTEMPTS) delivery.outcome = 'given_up';
  }

  /** The status of the answer, or null when there was none: refused, timed out, or no address any more. */
  async #post(body: string): Promise<number | null> {
    if (!this.#address) return null;
    try {
      const response = await fetch(this.#address.url, {
        method: 'POST',
        headers: { ...this.#address.headers, 'content-type': 'application/json' },
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
