import type { RateLimiterClock } from '../../provider/rate-limiter/rate-limiter-clock.ts';

interface Timer {
  atMs: number;
  order: number;
  fire: () => void;
}

/** A clock that advances only when no work is left at the current time, so that a simulated hour takes a moment. */
export class VirtualClock implements RateLimiterClock {
  #nowMs = 0;
  #order = 0;
  readonly #timers: Timer[] = [];

  nowMs(): number {
    return this.#nowMs;
  }

  after(forMs: number, fire: () => void): Timer {
    const timer = { atMs: this.#nowMs + Math.max(forMs, 0), order: this.#order++, fire };
    const later = this.#timers.findIndex((other) => other.atMs > timer.atMs);
    this.#timers.splice(later === -1 ? this.#timers.length : later, 0, timer);
    return timer;
  }

  sleep(forMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const wake = (): void => {
        const index = this.#timers.indexOf(timer);
        if (index !== -1) this.#timers.splice(index, 1);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = this.after(forMs, wake);
      signal.addEventListener('abort', wake);
    });
  }

  wait(forMs: number): Promise<void> {
    return this.sleep(forMs, new AbortController().signal);
  }

  /** Advances the clock until the work is done. Fails if the work waits for something that no timer triggers. */
  async runUntil<T>(work: Promise<T>): Promise<T> {
    const state = { done: false };
    const watched = work.finally(() => {
      state.done = true;
    });
    watched.catch(() => undefined);
    for (;;) {
      await settled();
      if (state.done) return watched;
      const next = this.#timers.shift();
      if (next === undefined) throw new Error('nothing is left that time could bring');
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.fire();
    }
  }

  async advance(forMs: number): Promise<void> {
    await this.runUntil(this.wait(forMs));
    await settled();
  }
}

/** Waits until no work is left at the current time. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
