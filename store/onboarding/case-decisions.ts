import type { DataKeys } from '../../domain/personal-data/data-keys.ts';
import type { Applicant } from '../../domain/onboarding/applicant.ts';
import { callAsUser } from '../database/call-as-user.ts';
import { type Database, inTransaction, type Queryable } from '../database/database.ts';
import { caseKeyName, wrapKey } from '../personal-data/key-wrapping.ts';
import { newKey } from '../personal-data/encryption.ts';
import type { TokenHash } from '../users/token-hash.ts';
import { CaseCipher } from './case-content.ts';

/** A file of a revision, as it is stored. */
export interface NewCaseFile {
  slot: string;
  documentType: string;
  contentType: string;
  fileName: string;
  sha256: string;
  sizeBytes: number;
  read: () => Promise<Uint8Array>;
}

export interface NewCase {
  caseId: string;
  account: string;
  emailHmac: Buffer;
  applicant: Applicant;
  files: readonly NewCaseFile[];
}

/** Adds a case with its files, encrypted by a new key. False: the account has a case of this reference already. */
export async function addCaseAs(
  database: Database,
  tokenHash: TokenHash,
  keys: DataKeys,
  { caseId, account, emailHmac, applicant, files }: NewCase,
): Promise<boolean> {
  const key = newKey();
  const cipher = new CaseCipher(caseId, key);
  const { wrapped, wrappedBy } = wrapKey(keys, caseKeyName(caseId), key);
  return inTransaction(database, async (transaction) => {
    const { isNew } = await callAsUser<{ isNew: boolean }>(
      transaction,
      'add_case($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
      [
        tokenHash.bytes,
        caseId,
        account,
        applicant.applicantRef,
        applicant.accountType,
        emailHmac,
        applicant.providerUserId,
        cipher.encryptApplicant(1, applicant),
        wrapped,
        wrappedBy,
      ],
    );
    if (isNew) await addFilesAs(transaction, tokenHash, cipher, caseId, files);
    return isNew;
  });
}

/** New values and files, as the next revision, whose number it answers. */
export async function supplyCaseAs(
  database: Database,
  tokenHash: TokenHash,
  cipher: CaseCipher,
  supplied: { caseId: string; seenRevision: number; applicant: Applicant; files: readonly NewCaseFile[] },
): Promise<number> {
  const { caseId, seenRevision, applicant, files } = supplied;
  return inTransaction(database, async (transaction) => {
    const { revision } = await callAsUser<{ revision: number }>(transaction, 'supply_case($1, $2, $3, $4)', [
      tokenHash.bytes,
      caseId,
      seenRevision,
      cipher.encryptApplicant(seenRevision + 1, applicant),
    ]);
    await addFilesAs(transaction, tokenHash, cipher, caseId, files);
    return revision;
  });
}

/** One after the other, so that one file is in memory at a time. */
async function addFilesAs(
  transaction: Queryable,
  tokenHash: TokenHash,
  cipher: CaseCipher,
  caseId: string,
  files: readonly NewCaseFile[],
): Promise<void> {
  for (const { slot, documentType, contentType, sizeBytes, sha256, fileName, read } of files) {
    await callAsUser(transaction, 'add_case_document($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
      tokenHash.bytes,
      caseId,
      slot,
      documentType,
      contentType,
      sizeBytes,
      sha256,
      cipher.encryptFileName(slot, fileName),
      cipher.encryptFile(slot, sha256, await read()),
    ]);
  }
}

export async function withdrawCaseAs(
  database: Queryable,
  tokenHash: TokenHash,
  caseId: string,
  reason: string | null,
): Promise<void> {
  await callAsUser(database, 'withdraw_case($1, $2, $3)', [tokenHash.bytes, caseId, reason]);
}

export async function proposeCaseManualOutcomeAs(
  database: Queryable,
  tokenHash: TokenHash,
  proposal: { caseId: string; outcome: string; userId: string | null; reason: string },
): Promise<void> {
  const { caseId, outcome, userId, reason } = proposal;
  await callAsUser(database, 'propose_case_manual_outcome($1, $2, $3, $4, $5)', [
    tokenHash.bytes,
    caseId,
    outcome,
    userId,
    reason,
  ]);
}

export async function confirmCaseManualOutcomeAs(
  database: Queryable,
  tokenHash: TokenHash,
  manualOutcomeId: string,
): Promise<void> {
  await callAsUser(database, 'confirm_case_manual_outcome($1, $2)', [tokenHash.bytes, manualOutcomeId]);
}

export async function rejectCaseManualOutcomeAs(
  database: Queryable,
  tokenHash: TokenHash,
  manualOutcomeId: string,
  reason: string | null,
): Promise<void> {
  await callAsUser(database, 'reject_case_manual_outcome($1, $2, $3)', [tokenHash.bytes, manualOutcomeId, reason]);
}

/** Notes who exports the personal data of a case. Refused for an erased one. */
export async function noteCaseExportAs(database: Queryable, tokenHash: TokenHash, caseId: string): Promise<void> {
  await callAsUser(database, 'note_case_export($1, $2)', [tokenHash.bytes, caseId]);
}

/** Destroys the case's key and its encrypted data, once the retention is over. */
export async function eraseCaseAs(database: Queryable, tokenHash: TokenHash, caseId: string): Promise<void> {
  await callAsUser(database, 'erase_case($1, $2)', [tokenHash.bytes, caseId]);
}
