import type { DataKeys } from '../../domain/personal-data/data-keys.ts';
import type { Applicant } from '../../domain/onboarding/applicant.ts';
import type { Proposed } from '../approvals/changes.ts';
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
  emailHmac: Buffer;
  applicant: Applicant;
  files: readonly NewCaseFile[];
}

/**
 * Adds cases with their files, each encrypted by a new key: all or none. Returns the ids of those that are new: the account may have a case
 * of a reference already.
 */
export async function addCasesAs(
  database: Database,
  tokenHash: TokenHash,
  keys: DataKeys,
  { account, cases }: { account: string; cases: readonly NewCase[] },
): Promise<ReadonlySet<string>> {
  const ciphers = new Map<string, CaseCipher>();
  const rows = cases.map(({ caseId, emailHmac, applicant }) => {
    const key = newKey();
    const cipher = new CaseCipher(caseId, key);
    ciphers.set(caseId, cipher);
    const { wrapped, wrappedBy } = wrapKey(keys, caseKeyName(caseId), key);
    const { applicantRef, accountType, providerUserId } = applicant;
    return {
      ...{
        caseId,
        applicantRef,
        accountType,
        emailHmac: emailHmac.toString('hex'),
        isAdopted: providerUserId !== null,
      },
      encrypted: Buffer.from(cipher.encryptApplicant(1, applicant)).toString('base64'),
      ...{ wrapped: Buffer.from(wrapped).toString('base64'), wrappedBy },
    };
  });
  return inTransaction(database, async (transaction) => {
    const values = [tokenHash.bytes, account, JSON.stringify(rows)];
    const { added } = await callAsUser<{ added: string[] }>(transaction, 'add_cases($1, $2, $3)', values);
    const isNew = new Set(added);
    for (const { caseId, files } of cases) {
      const cipher = ciphers.get(caseId);
      if (cipher !== undefined && isNew.has(caseId)) await addFilesAs(transaction, tokenHash, cipher, caseId, files);
    }
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

/** Proposes to destroy the case's key and its encrypted data, once the retention is over. */
export function eraseCaseAs(database: Queryable, tokenHash: TokenHash, caseId: string): Promise<Proposed> {
  return callAsUser(database, 'erase_case($1, $2)', [tokenHash.bytes, caseId]);
}
