import type { DataKeys } from '../../domain/personal-data/data-keys.ts';
import type { Queryable } from '../database/database.ts';
import { readSecret } from '../personal-data/data-secrets.ts';
import { DecryptionFailed } from '../personal-data/encryption.ts';
import { DataKeyMissing } from '../personal-data/key-wrapping.ts';
import { MAIL_INDEX, mailIndexOf, readApplicant, readCaseCipher } from './case-content.ts';

/** How many cases are found by their mail address again, and how many are not, as their data cannot be read. */
export interface MadeMailIndex {
  found: number;
  lost: number;
}

/**
 * Makes the index of mail addresses again, once its secret cannot be read any more: with a new secret, from the cases that can be read. As
 * the owner of the database. Null: the secret can be read, and nothing is done.
 */
export async function makeMailIndexAgain(owner: Queryable, keys: DataKeys): Promise<MadeMailIndex | null> {
  await owner.query('begin');
  try {
    await owner.query('lock table cases in share row exclusive mode');
    // guard: readable-index-stays
    if ((await ifReadable(() => readSecret(owner, keys, MAIL_INDEX))) !== null) return null;
    await owner.query('delete from data_secrets where name = $1', [MAIL_INDEX]);
    const made = await indexCases(owner, keys);
    await owner.query('commit');
    return made;
  } finally {
    // Without a transaction it does nothing.
    await owner.query('rollback');
  }
}

async function indexCases(owner: Queryable, keys: DataKeys): Promise<MadeMailIndex> {
  const hmacOf = await mailIndexOf(owner, keys);
  const { rows } = await owner.query<{ caseId: string }>(
    `select case_id as "caseId" from cases where erased_at is null`,
  );
  const made = { found: 0, lost: 0 };
  for (const { caseId } of rows) {
    const address = await ifReadable(() => readAddress(owner, keys, caseId));
    if (address === null) made.lost += 1;
    else {
      await owner.query('update cases set email_hmac = $2 where case_id = $1', [caseId, hmacOf(address)]);
      made.found += 1;
    }
  }
  return made;
}

async function readAddress(owner: Queryable, keys: DataKeys, caseId: string): Promise<string | null> {
  const cipher = await readCaseCipher(owner, keys, caseId);
  return cipher === null ? null : ((await readApplicant(owner, cipher, caseId))?.email ?? null);
}

/** What is read; null: there is none, or no configured data key reads it. */
async function ifReadable<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DataKeyMissing || error instanceof DecryptionFailed) return null;
    throw error;
  }
}
