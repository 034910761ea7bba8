import type { Chance } from '../core/seeded-random.ts';

/** Tokens of one API key. Several are valid side by side. Contract: account 5. */
export class Tokens {
  readonly #expiryByToken = new Map<string, number>();
  readonly #chance: Chance;
  readonly #ttlMs: number;

  constructor(chance: Chance, ttlMs: number) {
    this.#chance = chance;
    this.#ttlMs = ttlMs;
  }

  issue(nowMs: number): string {
    // Tokens are kept in the order of their expiry, as all live equally long.
    for (const [token, expiryMs] of this.#expiryByToken) {
      if (expiryMs > nowMs) break;
      this.#expiryByToken.delete(token);
    }
    const token = this.#chance.hex(64);
    this.#expiryByToken.set(token, nowMs + this.#ttlMs);
    return token;
  }

  /** Whether the header's value is a token as it was issued, neither expired nor logged out; `Bearer …` is not. */
  accepts(header: string | undefined, nowMs: number): header is string {
    return header !== undefined && nowMs < (this.#expiryByToken.get(header) ?? 0);
  }

  revoke(token: string): void {
    this.#expiryByToken.delete(token);
  }
}
