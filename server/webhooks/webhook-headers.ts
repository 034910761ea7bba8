import { hashOf, isSameHash } from '../users/secret-hash.ts';

/** What is wrong with the headers of a notification: names, and never a value. */
export interface HeaderFaults {
  missing: string[];
  different: string[];
}

/**
 * Checks the headers that the account holder had the provider send along. Contract: payments 6.
 *
 * @param expected value by name, the names in lower case as Node writes them
 * @returns what of them a request lacks or has otherwise; null when nothing, as always when none are expected. All are
 *   compared, by their hashes and in constant time, so that the time of an answer tells nothing about a value
 */
export function headerCheck(
  expected: Readonly<Record<string, string>>,
): (headers: Readonly<Record<string, string | string[] | undefined>>) => HeaderFaults | null {
  const known = Object.entries(expected).map(([name, value]) => ({ name, hash: hashOf(value) }));
  return (headers) => {
    const faults: HeaderFaults = { missing: [], different: [] };
    for (const { name, hash } of known) {
      const given = Object.hasOwn(headers, name) ? headers[name] : undefined;
      if (given === undefined) faults.missing.push(name);
      else if (!isSameHash(hash, hashOf(String(given)))) faults.different.push(name);
    }
    return faults.missing.length + faults.different.length === 0 ? null : faults;
  };
}
