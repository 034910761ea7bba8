import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
/** After so long without a failed attempt an address begins with the first wait again. */
const FORGOTTEN_AFTER_MS = 600_000;
const MOST_ADDRESSES = 10_000;
/** Answers that are held back at once; beyond that they go out at once, so that nobody can fill the memory. */
const MOST_WAITING = 200;

interface Attempts {
  count: number;
  lastMs: number;
}

/** Makes whoever tries tokens that do not work wait, twice as long for each attempt from the same address. */
export class SignInBrake {
  readonly #now: () => number;
  readonly #sleep: (ms: number) => Promise<unknown>;
  readonly #byAddress = new Map<string, Attempts>();
  #waiting = 0;

  constructor(now: () => number = Date.now, wait: (ms: number) => Promise<unknown> = (ms) => sleep(ms)) {
    this.#now = now;
    this.#sleep = wait;
  }

  /** Resolves when the answer to a failed attempt may go out. */
  async wait(address: string): Promise<void> {
    const nowMs = this.#now();
    const before = this.#byAddress.get(address);
    const count = before === undefined || nowMs - before.lastMs > FORGOTTEN_AFTER_MS ? 1 : before.count + 1;
    this.#byAddress.delete(address);
    this.#byAddress.set(address, { count, lastMs: nowMs });
    const [oldest] = this.#byAddress.keys();
    if (this.#byAddress.size > MOST_ADDRESSES && oldest !== undefined) this.#byAddress.delete(oldest);
    if (this.#waiting >= MOST_WAITING) return;
    this.#waiting += 1;
    try {
      await this.#sleep(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(count - 1, 10)));
    } finally {
      this.#waiting -= 1;
    }
  }
}
