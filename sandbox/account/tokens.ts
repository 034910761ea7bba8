import type { SeededRandom } from '../core/seeded-random.ts';

/** Tokens of one API key. Several can be valid at the same time. Contract: account 5. */
export class Tokens {
  readonly #expiryByToken = new Map<string, number>();
  readonly #random: SeededRandom;
  readonly #ttlMs: number;

  constructor(random: SeededRandom, ttlMs: number) {
    this.#random = random;
    this.#ttlMs = ttlMs;
  }

  issue(nowMs: number): string {
    // Tokens are ordered by expiry, as all have the same lifetime.
    for (const [token, expiryMs] of this.#expiryByToken) {
      if (expiryMs > nowMs) break;
      this.#expiryByToken.delete(token);
    }
    const token = this.#random.hex(64);
    this.#expiryByToken.set(token, nowMs + this.#ttlMs);
    return token;
  }

  /** Whether the header's value is a valid token, exactly as issued; `Bearer …` is not. */
  accepts(header: string | undefined, nowMs: number): header is string {
    return header !== undefined && nowMs < (this.#expiryByToken.get(header) ?? 0);
  }

  revoke(token: string): void {
    this.#expiryByToken.delete(token);
  }
}
