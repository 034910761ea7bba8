import { nameText } from '../../domain/beneficiaries/beneficiary-identity.ts';
import type { KnownBeneficiary } from '../../domain/beneficiaries/known-beneficiary.ts';
import { lookAlikeTexts } from '../../domain/beneficiaries/look-alike.ts';
import type { TextHash } from '../../domain/runs/row-identity.ts';
import { type Database, inTransaction } from '../database/database.ts';

/**
 * Look-alikes of names are found in two steps: keyed hashes of whole names and of their halves tell which may be look-alikes, and those
 * few are decrypted and compared. Five rows at most are stored for a name, however many rows of files have it.
 */
export interface LookAlikeName {
  name_hash: string;
  /** Decimal strings of 64 bits each. */
  keys: string[];
}

export function lookAlikeName(hash: TextHash, known: KnownBeneficiary): LookAlikeName {
  return { name_hash: hash(nameText(known)), keys: lookAlikeKeys(hash, known) };
}

export function lookAlikeKeys(hash: TextHash, known: KnownBeneficiary): string[] {
  return lookAlikeTexts(known).map((text) =>
    String(BigInt.asIntN(64, BigInt(`0x${hash(`look-alike ${text}`).slice(0, 16)}`))),
  );
}

/**
 * Stores them, also of names that have some: the login that stores them could have stored others. Each statement inserts in one order, so that
 * two that have the same names do not wait for each other, as long as each is a transaction of its own.
 */
export async function addLookAlikeNames(
  database: Database,
  account: string,
  names: readonly LookAlikeName[],
): Promise<void> {
  if (names.length === 0) return;
  await inTransaction(database, async (transaction) => {
    // What is there is not about to be erased: an erasure that begins later sees the rows of the run.
    await transaction.query(`select pg_advisory_xact_lock_shared(hashtextextended('look-alikes', 0))`);
    await transaction.query(
      `insert into look_alike_keys (account, name_hash, key)
     select distinct $1::text, names.name_hash, key
     from jsonb_to_recordset($2::jsonb) as names (name_hash text, keys bigint[]) cross join lateral unnest(names.keys) as key
     order by 2, 3 on conflict do nothing`,
      [account, JSON.stringify(names)],
    );
  });
}
