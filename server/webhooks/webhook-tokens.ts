import { hashOf, isSameHash } from '../users/secret-hash.ts';

/** An account with the provider, as its webhooks are received. */
export interface WebhookAccount {
  name: string;
  /** Of the secret part of its webhook address; of two, while one replaces the other. */
  tokenHashes: readonly Buffer[];
  /** Of each header that every webhook must carry, by its name in lower case; empty: none. */
  headerHashes: ReadonlyMap<string, Buffer>;
  /** Webhooks that are accepted in a minute. */
  perMinute: number;
}

/** Hashes the secrets once, and not for every webhook. */
export function webhookAccount(account: {
  name: string;
  tokens: readonly string[];
  headers: Readonly<Record<string, string>>;
  perMinute: number;
}): WebhookAccount {
  const { name, tokens, headers, perMinute } = account;
  const headerHashes = new Map(Object.entries(headers).map(([header, value]) => [header, hashOf(value)]));
  return { name, tokenHashes: tokens.map(hashOf), headerHashes, perMinute };
}

/**
 * Finds the account that a webhook address belongs to. Every known token is compared, by its hash and in constant
 * time, so that the time of an answer tells nothing about how much of a guess was right. Accounts may be added to the
 * list later.
 */
export function accountFinder(accounts: readonly WebhookAccount[]): (token: string) => WebhookAccount | null {
  return (token) => {
    const hash = hashOf(token);
    let found: WebhookAccount | null = null;
    for (const account of accounts) {
      // guard: webhook-address
      for (const known of account.tokenHashes) if (isSameHash(known, hash)) found = account;
    }
    return found;
  };
}
