import { hashOf, isSameHash } from '../users/secret-hash.ts';

/** The names of headers that are missing or have another value; never a value. */
export interface HeaderFaults {
  missing: string[];
  different: string[];
}

/**
 * Checks the headers that the account holder configured at the provider. Contract: payments 6.
 *
 * @param expected hash of the value by name, the names in lower case as Node writes them
 * @returns which of them are missing or different; null when none is. All are compared, by their hashes and in constant
 *   time, so that the time of an answer says nothing about a value
 */
export function headerFaults(
  expected: ReadonlyMap<string, Buffer>,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): HeaderFaults | null {
  const faults: HeaderFaults = { missing: [], different: [] };
  for (const [name, hash] of expected) {
    const given = Object.hasOwn(headers, name) ? headers[name] : undefined;
    if (given === undefined) faults.missing.push(name);
    else if (!isSameHash(hash, hashOf(String(given)))) faults.different.push(name);
  }
  return faults.missing.length + faults.different.length === 0 ? null : faults;
}
