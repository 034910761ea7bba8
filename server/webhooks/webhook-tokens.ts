import { hashOf, isSameHash } from '../users/secret-hash.ts';

/** An account with the provider, as its webhooks are received. */
export interface WebhookAccount {
  name: string;
  /** The secret part of its webhook address. */
  token: string;
  /** Headers that every webhook must carry, value by name in lower case; empty: none. */
  headers: Readonly<Record<string, string>>;
  /** Webhooks that are accepted in a minute. */
  perMinute: number;
}

/**
 * Finds the account that a webhook address belongs to. Every known token is compared, by its hash and in constant
 * time, so that the time of an answer tells nothing about how much of a guess was right. Accounts may be added to the
 * list later.
 */
export function accountFinder(accounts: readonly WebhookAccount[]): (token: string) => WebhookAccount | null {
  const hashes = new WeakMap<WebhookAccount, Buffer>();
  const hashFor = (account: WebhookAccount): Buffer => {
    const hash = hashes.get(account) ?? hashOf(account.token);
    hashes.set(account, hash);
    return hash;
  };
  return (token) => {
    const hash = hashOf(token);
    let found: WebhookAccount | null = null;
    for (const account of accounts) if (isSameHash(hashFor(account), hash)) found = account;
    return found;
  };
}
