/** The token of a provider account, shared by all processes. Contract: account 5. */
export interface TokenStore {
  read(account: string): Promise<StoredToken | null>;
  /**
   * Runs `renew` for one caller at a time over all processes; others wait and get what it stored. `stale` is the token
   * known to be bad or near its end: if the stored one differs and is valid, it is returned without renewing.
   */
  renew(account: string, stale: string | null, renew: () => Promise<StoredToken>): Promise<StoredToken>;
  forget(account: string, token: string): Promise<void>;
}

export interface StoredToken {
  token: string;
  expiresAtMs: number;
}

export interface Session {
  /** A token that is good for some minutes at least. */
  token(): Promise<string>;
  /** Another token than the one that the provider has just refused. */
  tokenAfterRefusal(refused: string): Promise<string>;
  /** The token in use, or null when none is known to be valid; never asks the provider for one. */
  tokenInUse(): Promise<string | null>;
  /** The token is invalid by our own doing. */
  forget(token: string): Promise<void>;
}

/** Renewed this long before its end, so that no request is sent with a token that ends on the way. */
const RENEW_AHEAD_MS = 5 * 60_000;

export interface SessionOptions {
  account: string;
  tokens: TokenStore;
  /** Wall clock, since the end of a token is shared between processes. */
  now: () => number;
  authenticate: () => Promise<StoredToken>;
}

export function createSession({ account, tokens, now, authenticate }: SessionOptions): Session {
  // A copy in the process, so that not every request reads the store.
  let held: StoredToken | null = null;
  let renewing: Promise<StoredToken> | null = null;

  const isFresh = (candidate: StoredToken): boolean => candidate.expiresAtMs - now() > RENEW_AHEAD_MS;
  const heldOtherThan = (refused: string | null): StoredToken | null =>
    held !== null && held.token !== refused && isFresh(held) ? held : null;

  const renew = async (refused: string | null): Promise<StoredToken> => {
    const stored = await tokens.read(account);
    if (stored !== null && stored.token !== refused && isFresh(stored)) return stored;
    // Near its end or refused: either way the store must not hand out this one again.
    const stale = refused ?? stored?.token ?? null;
    const renewed = await tokens.renew(account, stale, authenticate);
    // Another process may have stored one that is near its end itself; for that one the store is asked once more.
    return isFresh(renewed) ? renewed : tokens.renew(account, renewed.token, authenticate);
  };

  const other = async (refused: string | null): Promise<string> => {
    for (;;) {
      const good = heldOtherThan(refused);
      if (good !== null) return good.token;
      const mine = renewing === null;
      renewing ??= renew(refused).finally(() => {
        renewing = null;
      });
      const renewed = await renewing;
      held = renewed;
      // A renewal that others had begun may have ended with the very token that was refused here.
      if (mine || renewed.token !== refused) return renewed.token;
    }
  };

  return {
    token: () => other(null),
    tokenAfterRefusal: (refused) => other(refused),
    tokenInUse: async () => {
      const known = held ?? (await tokens.read(account));
      return known !== null && known.expiresAtMs > now() ? known.token : null;
    },
    forget: async (token) => {
      if (held?.token === token) held = null;
      await tokens.forget(account, token);
    },
  };
}
