import { hashOf, isSameHash } from '../users/secret-hash.ts';

/**
 * Finds the account that a webhook address belongs to. Every known token is compared, by its hash and in constant
 * time, so that the time of an answer tells nothing about how much of a guess was right.
 */
export function accountFinder(accountOfToken: Readonly<Record<string, string>>): (token: string) => string | null {
  const known = Object.entries(accountOfToken).map(([token, account]) => ({ hash: hashOf(token), account }));
  return (token) => {
    const hash = hashOf(token);
    let found: string | null = null;
    for (const entry of known) if (isSameHash(entry.hash, hash)) found = entry.account;
    return found;
  };
}
