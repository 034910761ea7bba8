import type { ManualOutcomeState } from '../../domain/payments/manual-outcome-state.ts';
import type { RequestOutcome } from '../../domain/payments/request-result.ts';
import type { CaseReason } from '../../domain/onboarding/case-reason-codes.ts';
import type { CaseState } from '../../domain/onboarding/case-state.ts';
import type { Queryable } from '../database/database.ts';

/** What users are shown of a case, still encrypted. */
export interface CaseView {
  caseId: string;
  account: string;
  applicantRef: string;
  accountType: 'individual' | 'company';
  state: CaseState;
  stateReason: CaseReason | null;
  userId: string | null;
  accountId: string | null;
  providerStatus: string | null;
  /** The text of a status that is not listed. */
  encryptedStatus: Buffer | null;
  isAdopted: boolean;
  revision: number;
  missing: string[];
  submitterId: string;
  submitterName: string;
  submittedAt: Date;
  waitingSince: Date | null;
  changedAt: Date;
  endedAt: Date | null;
  /** From when the data may be erased; null: the case has not ended, or is erased. */
  erasableFrom: Date | null;
}

const CASE_VIEW = `select case_id as "caseId", account, applicant_ref as "applicantRef", account_type as "accountType",
    cases.state, state_reason as "stateReason", cases.user_id as "userId", account_id as "accountId",
    provider_status as "providerStatus", encrypted_status as "encryptedStatus", is_adopted as "isAdopted", revision, missing, submitter.user_id as "submitterId",
    submitter.name as "submitterName", submitted_at as "submittedAt", waiting_since as "waitingSince", changed_at as "changedAt",
    ended_at as "endedAt",
    case when cases.state <> 'erased' then ended_at + make_interval(days => retention_days(cases.state)) end as "erasableFrom"
  from cases join users submitter on submitter.user_id = submitted_by`;

export interface CaseFilter {
  /** Null: of all accounts. */
  accounts: readonly string[] | null;
  state: CaseState | null;
  /** The team's reference. */
  ref: string | null;
  limit: number;
  /** The last case of the page before. */
  after: string | null;
}

/** The latest first. */
export async function listCaseViews(database: Queryable, filter: CaseFilter): Promise<CaseView[]> {
  const { rows } = await database.query<CaseView>(
    `${CASE_VIEW} where ($1::text[] is null or account = any($1)) and ($2::text is null or cases.state = $2)
       and ($3::uuid is null or (submitted_at, case_id) < (select submitted_at, case_id from cases where case_id = $3))
       and ($5::text is null or applicant_ref = $5)
     order by submitted_at desc, case_id desc limit $4`,
    [filter.accounts, filter.state, filter.after, filter.limit, filter.ref],
  );
  return rows;
}

export interface CaseCount {
  state: CaseState;
  count: number;
}

/** How many cases have each state; null: of all accounts. */
export async function countCases(database: Queryable, accounts: readonly string[] | null): Promise<CaseCount[]> {
  const { rows } = await database.query<CaseCount>(
    `select state, count(*)::int as count from cases where $1::text[] is null or account = any($1) group by state`,
    [accounts],
  );
  return rows;
}

export async function findCaseView(database: Queryable, caseId: string): Promise<CaseView | null> {
  const { rows } = await database.query<CaseView>(`${CASE_VIEW} where case_id = $1`, [caseId]);
  return rows[0] ?? null;
}

export interface CaseRequestView {
  operation: string;
  revision: number;
  slot: string | null;
  begunAt: Date;
  answeredAt: Date | null;
  outcome: RequestOutcome | null;
  httpStatus: number | null;
}

/** In the order in which they were sent. */
export async function listCaseRequests(database: Queryable, caseId: string): Promise<CaseRequestView[]> {
  const { rows } = await database.query<CaseRequestView>(
    `select operation, revision, slot, begun_at as "begunAt", answered_at as "answeredAt", outcome, http_status as "httpStatus"
     from case_requests where case_id = $1 order by begun_at, request_id`,
    [caseId],
  );
  return rows;
}

export interface CaseUploadView {
  slot: string;
  revision: number;
  uploadedAt: Date;
  verifiedAt: Date | null;
}

/** Files that the provider was sent, of all revisions: an upload is no request to its interface. */
export async function listCaseUploads(database: Queryable, caseId: string): Promise<CaseUploadView[]> {
  const { rows } = await database.query<CaseUploadView>(
    `select slot, revision, uploaded_at as "uploadedAt", verified_at as "verifiedAt" from case_documents
     where case_id = $1 and uploaded_at is not null order by uploaded_at, slot, revision`,
    [caseId],
  );
  return rows;
}

/** What a person did with a case, by the audit trail. */
export interface CaseActionView {
  kind: 'case_withdrawn' | 'case_erased';
  by: { userId: string; name: string };
  at: Date;
  /** Null: none was given, or it was erased. */
  reason: string | null;
}

/** Who withdrew the case, and who erased its data. */
export async function listCaseActions(database: Queryable, caseId: string): Promise<CaseActionView[]> {
  const { rows } = await database.query<CaseActionView>(
    `select kind, jsonb_build_object('userId', users.user_id, 'name', users.name) as by, entries.at, said.body as reason
     from audit_entries entries join users on users.user_id::text = actor
     left join remarks said on said.remark_id::text = detail ->> 'remark'
     where detail ? 'case' and detail ->> 'case' = $1::text and kind in ('case_withdrawn', 'case_erased') order by entry_id`,
    [caseId],
  );
  return rows;
}

export interface CaseRemarkView {
  providerStatus: string;
  /** Null: erased. */
  encrypted: Buffer | null;
  seenAt: Date;
}

export async function listCaseRemarks(database: Queryable, caseId: string): Promise<CaseRemarkView[]> {
  const { rows } = await database.query<CaseRemarkView>(
    `select provider_status as "providerStatus", encrypted, seen_at as "seenAt" from case_remarks where case_id = $1
     order by seen_at, remark_id`,
    [caseId],
  );
  return rows;
}

export interface CaseManualOutcomeView {
  manualOutcomeId: string;
  outcome: 'signed_up' | 'never_created';
  userId: string | null;
  reason: string | null;
  state: ManualOutcomeState;
  proposedBy: { userId: string; name: string };
  proposedAt: Date;
  confirmedBy: { userId: string; name: string } | null;
  /** Who rejected it, or took their own proposal back. */
  closedBy: { userId: string; name: string } | null;
  closedAt: Date | null;
  /** What a person wrote with a rejection, or what a worker found. */
  closingReason: string | null;
}

export async function listCaseManualOutcomes(database: Queryable, caseId: string): Promise<CaseManualOutcomeView[]> {
  const { rows } = await database.query<CaseManualOutcomeView>(
    `select manual_outcome_id as "manualOutcomeId", outcome, manual_outcomes.user_id as "userId", said.body as reason, state,
       jsonb_build_object('userId', proposer.user_id, 'name', proposer.name) as "proposedBy", proposed_at as "proposedAt",
       case when confirmed_by is not null then jsonb_build_object('userId', confirmer.user_id, 'name', confirmer.name) end
         as "confirmedBy",
       case when closed_by is not null then jsonb_build_object('userId', closer.user_id, 'name', closer.name) end as "closedBy",
       closed_at as "closedAt",
       coalesce(closing.body, closing_reason) as "closingReason"
     from case_manual_outcomes manual_outcomes join users proposer on proposer.user_id = proposed_by
     left join users confirmer on confirmer.user_id = confirmed_by left join users closer on closer.user_id = closed_by
     left join remarks said on said.remark_id = manual_outcomes.remark_id
     left join remarks closing on closing.remark_id = closing_remark_id
     where case_id = $1 order by proposed_at, manual_outcome_id`,
    [caseId],
  );
  return rows;
}

/** The states of the cases that the account has of these references. */
export async function listKnownRefs(
  database: Queryable,
  account: string,
  refs: readonly string[],
): Promise<ReadonlyMap<string, CaseState>> {
  const { rows } = await database.query<{ ref: string; state: CaseState }>(
    'select applicant_ref as ref, state from cases where account = $1 and applicant_ref = any($2)',
    [account, refs],
  );
  return new Map(rows.map(({ ref, state }) => [ref, state]));
}

/**
 * The cases that have one of these mail addresses, by its HMAC in hex. `isOpen`: the case has not ended. Cases that ended
 * without a user of the provider are left out.
 */
export async function listKnownMails(
  database: Queryable,
  account: string,
  hmacs: readonly Buffer[],
): Promise<ReadonlyMap<string, { ref: string; isOpen: boolean }>> {
  const { rows } = await database.query<{ mail: string; ref: string; isOpen: boolean }>(
    `select encode(email_hmac, 'hex') as mail, applicant_ref as ref, ended_at is null as "isOpen"
     from cases where account = $1 and email_hmac = any($2) and (ended_at is null or user_id is not null)
     order by ended_at is null`,
    [account, hmacs],
  );
  return new Map(rows.map(({ mail, ...known }) => [mail, known]));
}
