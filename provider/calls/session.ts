/** The token of a provider account, shared by all processes. Contract: account 5. */
export interface TokenStore {
  read(account: string): Promise<StoredToken | null>;
  /**
   * Runs `renew` for one caller at a time over all processes; the others wait and get the token it stored. `stale` is
   * the token that was refused or expires soon: if the stored one differs and is valid, it is returned without
   * renewing.
   */
  renew(account: string, stale: string | null, renew: () => Promise<StoredToken>): Promise<StoredToken>;
  forget(account: string, token: string): Promise<void>;
}

export interface StoredToken {
  token: string;
  expiresAtMs: number;
}

export interface Session {
  /** A token that is valid for some minutes at least. */
  token(): Promise<string>;
  /** A different token than the one that the provider has just refused. */
  tokenAfterRefusal(refused: string): Promise<string>;
  /** The stored token if it is still valid, else null; never requests one from the provider. */
  currentToken(): Promise<string | null>;
  /** To be called when we have invalidated the token. */
  forget(token: string): Promise<void>;
}

/** A token is renewed this long before it expires, so that none expires while a request is on its way. */
const RENEW_AHEAD_MS = 5 * 60_000;

export interface SessionOptions {
  account: string;
  tokens: TokenStore;
  /** Wall clock, since processes share the expiry times of tokens. */
  now: () => number;
  authenticate: () => Promise<StoredToken>;
}

export function createSession({ account, tokens, now, authenticate }: SessionOptions): Session {
  // Cached, so that not every request reads the store.
  let cached: StoredToken | null = null;
  let renewing: Promise<StoredToken> | null = null;

  const isFresh = (candidate: StoredToken): boolean => candidate.expiresAtMs - now() > RENEW_AHEAD_MS;
  const cachedOtherThan = (refused: string | null): StoredToken | null =>
    cached !== null && cached.token !== refused && isFresh(cached) ? cached : null;

  const renew = async (refused: string | null): Promise<StoredToken> => {
    const stored = await tokens.read(account);
    if (stored !== null && stored.token !== refused && isFresh(stored)) return stored;
    // Refused or about to expire: the store must not return this one again.
    const stale = refused ?? stored?.token ?? null;
    const renewed = await tokens.renew(account, stale, authenticate);
    // Another process may have stored one that is about to expire; then the store is asked once more.
    return isFresh(renewed) ? renewed : tokens.renew(account, renewed.token, authenticate);
  };

  const tokenOtherThan = async (refused: string | null): Promise<string> => {
    for (;;) {
      const fresh = cachedOtherThan(refused);
      if (fresh !== null) return fresh.token;
      const isOurRenewal = renewing === null;
      renewing ??= renew(refused).finally(() => {
        renewing = null;
      });
      const renewed = await renewing;
      cached = renewed;
      // A renewal that another call started may have returned the very token that was refused here.
      if (isOurRenewal || renewed.token !== refused) return renewed.token;
    }
  };

  return {
    token: () => tokenOtherThan(null),
    tokenAfterRefusal: (refused) => tokenOtherThan(refused),
    currentToken: async () => {
      const known = cached ?? (await tokens.read(account));
      return known !== null && known.expiresAtMs > now() ? known.token : null;
    },
    forget: async (token) => {
      if (cached?.token === token) cached = null;
      await tokens.forget(account, token);
    },
  };
}
