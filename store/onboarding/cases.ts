import type { CaseReason } from '../../domain/onboarding/case-reason-codes.ts';
import { type CaseState, UNANSWERED_CASE_STATES } from '../../domain/onboarding/case-state.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';

/** A case as payrun works on it: no personal data. */
export interface CaseRecord {
  caseId: string;
  account: string;
  applicantRef: string;
  accountType: 'individual' | 'company';
  state: CaseState;
  stateReason: CaseReason | null;
  /** The provider's ids and status of the user; null: not known yet. */
  userId: string | null;
  accountId: string | null;
  providerStatus: string | null;
  emailHmac: Buffer;
  isAdopted: boolean;
  revision: number;
  missing: string[];
}

const CASE_COLUMNS = `case_id as "caseId", account, applicant_ref as "applicantRef", account_type as "accountType", state,
  state_reason as "stateReason", user_id as "userId", account_id as "accountId", provider_status as "providerStatus",
  email_hmac as "emailHmac", is_adopted as "isAdopted", revision, missing`;

/** Throws if there is no such case. */
export async function readCase(database: Queryable, caseId: string): Promise<CaseRecord> {
  const { rows } = await database.query<CaseRecord>(`select ${CASE_COLUMNS} from cases where case_id = $1`, [caseId]);
  const [record] = rows;
  if (record === undefined) throw new Error(`there is no case ${caseId}`);
  return record;
}

/**
 * Locks a case for the rest of the transaction. Who writes about a sign-up and its case does this first, as the start of a
 * sign-up does: otherwise two of them could wait for each other.
 */
export async function lockCase(transaction: Queryable, caseId: string): Promise<void> {
  await transaction.query('select from cases where case_id = $1 for no key update', [caseId]);
}

/** Cases whose sign-up has an unknown outcome, which a user with this mail address may be. */
export async function listUnknownCases(database: Queryable, account: string, emailHmac: Buffer): Promise<CaseRecord[]> {
  const { rows } = await database.query<CaseRecord>(
    `select ${CASE_COLUMNS} from cases where account = $1 and email_hmac = $2 and state in (${sqlList(UNANSWERED_CASE_STATES)})
       and user_id is null`,
    [account, emailHmac],
  );
  return rows;
}
