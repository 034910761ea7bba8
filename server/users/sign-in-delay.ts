import { setTimeout as sleep } from 'node:timers/promises';
import { networkOf } from '../../application/address-network.ts';
import { pauseAfter } from '../../domain/doubling-pauses.ts';

const WAITS = { firstMs: 100, maxMs: 5_000 };
/** After this time without a failed attempt a network starts with the first wait again. */
const RESET_AFTER_MS = 600_000;
const MAX_NETWORKS = 10_000;
/** Answers delayed at the same time; further ones are not delayed, so that nobody can fill the memory. */
const MAX_WAITING = 200;

interface Attempts {
  count: number;
  lastMs: number;
}

/** Delays the answers to wrong tokens, twice as long for each further attempt from the same network. */
export class SignInDelay {
  readonly #now: () => number;
  readonly #sleep: (ms: number) => Promise<unknown>;
  readonly #byNetwork = new Map<string, Attempts>();
  #waiting = 0;

  constructor(now: () => number = Date.now, wait: (ms: number) => Promise<unknown> = (ms) => sleep(ms)) {
    this.#now = now;
    this.#sleep = wait;
  }

  /** Resolves when a failed attempt may be answered. */
  async wait(address: string): Promise<void> {
    const nowMs = this.#now();
    const network = networkOf(address);
    const before = this.#byNetwork.get(network);
    const count = before === undefined || nowMs - before.lastMs > RESET_AFTER_MS ? 1 : before.count + 1;
    this.#byNetwork.delete(network);
    this.#byNetwork.set(network, { count, lastMs: nowMs });
    const [oldest] = this.#byNetwork.keys();
    if (this.#byNetwork.size > MAX_NETWORKS && oldest !== undefined) this.#byNetwork.delete(oldest);
    if (this.#waiting >= MAX_WAITING) return;
    this.#waiting += 1;
    try {
      // guard: delay-doubles
      await this.#sleep(pauseAfter(count, WAITS));
    } finally {
      this.#waiting -= 1;
    }
  }
}
