import type { StoredToken, TokenStore } from '../../provider/calls/session.ts';

/** A token store in memory. One instance can be shared by the clients of several processes. */
export class MemoryTokenStore implements TokenStore {
  readonly #now: () => number;
  readonly #stored = new Map<string, StoredToken>();
  #turn: Promise<unknown> = Promise.resolve();
  reads = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  put(account: string, token: StoredToken): void {
    this.#stored.set(account, token);
  }

  read(account: string): Promise<StoredToken | null> {
    this.reads += 1;
    return Promise.resolve(this.#stored.get(account) ?? null);
  }

  renew(account: string, stale: string | null, renew: () => Promise<StoredToken>): Promise<StoredToken> {
    const result = this.#turn.then(async () => {
      const stored = this.#stored.get(account);
      if (stored !== undefined && stored.token !== stale && stored.expiresAtMs > this.#now()) return stored;
      const renewed = await renew();
      this.#stored.set(account, renewed);
      return renewed;
    });
    this.#turn = result.catch(() => undefined);
    return result;
  }

  forget(account: string, token: string): Promise<void> {
    if (this.#stored.get(account)?.token === token) this.#stored.delete(account);
    return Promise.resolve();
  }
}
