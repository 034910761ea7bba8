import { type CaseState, UNANSWERED_CASE_STATES } from '../../domain/onboarding/case-state.ts';
import { type AnswerKind, OUTCOMES_WITHOUT_EFFECT, type RequestOutcome } from '../../domain/payments/request-result.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';

/** `sign_up` happens once for a case. */
export type CaseOperation = 'sign_up' | 'screen' | 'details' | 'company' | 'document';

/** A second one begins only when the outcome of the last one is known. */
const IS_NON_IDEMPOTENT: Readonly<Record<CaseOperation, boolean>> = {
  sign_up: true,
  screen: true,
  details: false,
  company: false,
  document: true,
};

export interface CaseRequestRef {
  requestId: string;
}

/**
 * Records the intent before anything is sent. Null: nothing may be sent. The case is in another state or has another revision,
 * or an earlier request of this kind has no known outcome; a sign-up also if an earlier one may have reached the provider, or
 * the user existed before. The case is locked first: who withdraws it at the same moment is seen.
 */
export async function beginCaseRequest(
  database: Queryable,
  request: {
    caseId: string;
    operation: CaseOperation;
    slot?: string;
    whileIn: readonly CaseState[];
    revision?: number;
  },
): Promise<CaseRequestRef | null> {
  const { rows } = await database.query<{ requestId: string }>(
    `with locked as materialized (
       select case_id, revision, state, is_adopted from cases where case_id = $1 for update
     ), begun as (
       insert into case_requests (case_id, operation, revision, slot)
       select case_id, $2, revision, $3 from locked
       where state = any($4) and ($6::integer is null or revision = $6) and not ($2 = 'sign_up' and is_adopted)
         and not ($5 and exists (
           select from case_requests earlier where earlier.case_id = $1 and earlier.operation = $2
             and earlier.slot is not distinct from $3 and earlier.outcome is null))
       on conflict do nothing
       returning request_id, case_id, revision
     ), moved as (
       update cases set state = 'signing_up', changed_at = clock_timestamp()
       from begun where cases.case_id = begun.case_id and $2 = 'sign_up' and state = 'draft'
     ), audited as (
       insert into audit_entries (actor, kind, detail)
       select 'worker', 'case_requested', jsonb_build_object('case', case_id, 'request', request_id, 'operation', $2::text,
         'revision', revision, 'slot', $3::text)
       from begun
     )
     select request_id as "requestId" from begun`,
    [
      request.caseId,
      request.operation,
      request.slot ?? null,
      request.whileIn,
      IS_NON_IDEMPOTENT[request.operation],
      request.revision ?? null,
    ],
  );
  return rows[0] ?? null;
}

/**
 * Records the answer to a sign-up and what follows from it, in one statement: a crash between the two would lose the user. The
 * user belongs to the case whatever state it has by now, so that its mail address stays taken. A user that the case has already
 * stays; the audit trail names the other one.
 */
export async function recordSignUp(
  database: Queryable,
  signUp: CaseAnswer & { caseId: string; userId: string | null; answerDigest?: Buffer | null },
): Promise<void> {
  const { requestId, caseId, outcome, answer, httpStatus, userId, answerDigest = null } = signUp;
  await database.query(
    `with answered as (
       update case_requests set answered_at = clock_timestamp(), outcome = coalesce(outcome, $2), answer = $3, http_status = $4,
         answer_digest = $7
       where request_id = $1 returning case_id, request_id
     ), moved as (
       update cases set user_id = coalesce(user_id, $6), changed_at = clock_timestamp(),
         state = case when state not in (${sqlList(UNANSWERED_CASE_STATES)}) then state
           when $6::text is not null then 'preparing' when state = 'unknown' then state
           when $2 = 'refused' then 'refused' else 'unknown' end,
         state_reason = case when state not in (${sqlList(UNANSWERED_CASE_STATES)}) then state_reason when $6::text is not null then null
           when state = 'unknown' then state_reason
           when $2 = 'refused' then 'sign_up_refused' else 'sign_up_unknown' end,
         waiting_since = case when state = 'signing_up' and $6::text is null and $2::text is distinct from 'refused'
           then clock_timestamp() end,
         ended_at = case when state = 'signing_up' and $2 = 'refused' then clock_timestamp() else ended_at end,
         notified_changes = case when state = 'unknown' then 0 else notified_changes end
       where case_id = $5 and $2::text is distinct from 'not_sent'
       returning case_id, account, state, state_reason
     ), audited as (
       insert into audit_entries (actor, kind, detail)
       select 'worker', 'case_answered', jsonb_build_object('case', case_id, 'request', request_id, 'operation', 'sign_up',
         'outcome', coalesce($2::text, 'unknown'), 'status', $4::integer, 'userId', $6::text)
       from answered
     )
     insert into audit_entries (actor, kind, detail)
     select 'worker', 'case_moved', jsonb_build_object('case', case_id, 'account', account, 'state', state, 'reason', state_reason)
     from moved`,
    [requestId, outcome, answer, httpStatus, caseId, userId, answerDigest],
  );
}

export interface CaseAnswer {
  requestId: string;
  /** Null: sent, with an unknown outcome; the request stays open. */
  outcome: RequestOutcome | null;
  answer: AnswerKind;
  httpStatus: number | null;
}

/** False when another worker has recorded the outcome, because this one was thought dead: nothing was written. */
export async function recordCaseAnswer(database: Queryable, answer: CaseAnswer): Promise<boolean> {
  const { rows } = await database.query<{ answered: number }>(
    `with answered as (
       update case_requests set answered_at = clock_timestamp(), outcome = $2, answer = $3, http_status = $4
       where request_id = $1 and outcome is null returning case_id, request_id, operation
     ), audited as (
       insert into audit_entries (actor, kind, detail)
       select 'worker', 'case_answered', jsonb_build_object('case', case_id, 'request', request_id, 'operation', operation,
         'outcome', coalesce($2::text, 'unknown'), 'status', $4::integer)
       from answered
     )
     select count(*)::int as answered from answered`,
    [answer.requestId, answer.outcome, answer.answer, answer.httpStatus],
  );
  return rows[0]?.answered === 1;
}

export interface OpenCaseRequest {
  requestId: string;
  /** Whether its end was recorded (an error, a time-out); otherwise the worker that sent it is gone. */
  endSeen: boolean;
  /** Since its end, or since its start if the end was not recorded. */
  ageMs: number;
  /** Earlier requests of this kind that had no effect. */
  earlier: number;
}

/** The request of this kind whose outcome is unknown; null when there is none. */
export async function readOpenCaseRequest(
  database: Queryable,
  caseId: string,
  operation: CaseOperation,
  slot: string | null = null,
): Promise<OpenCaseRequest | null> {
  const { rows } = await database.query<OpenCaseRequest>(
    `select request_id as "requestId", answered_at is not null as "endSeen",
       (extract(epoch from clock_timestamp() - coalesce(answered_at, begun_at)) * 1000)::float8 as "ageMs",
       (select count(*)::int from case_requests before where before.case_id = open.case_id
         and before.operation = open.operation and before.slot is not distinct from open.slot
         and before.revision = open.revision and before.outcome in (${sqlList(OUTCOMES_WITHOUT_EFFECT)})) as earlier
     from case_requests open
     where case_id = $1 and operation = $2 and slot is not distinct from $3 and outcome is null`,
    [caseId, operation, slot],
  );
  return rows[0] ?? null;
}

/** How many requests of this kind, for the current revision, were sent and turned out to have had no effect. */
export async function countWithoutEffect(
  database: Queryable,
  caseId: string,
  operation: CaseOperation,
): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    `select count(*)::int as n from case_requests join cases using (case_id, revision)
     where case_id = $1 and operation = $2 and outcome = 'not_seen'`,
    [caseId, operation],
  );
  return rows[0]?.n ?? 0;
}

/** Milliseconds since the last request of this kind; null: there was none. */
export async function sinceRequestMs(
  database: Queryable,
  caseId: string,
  operation: CaseOperation,
): Promise<number | null> {
  const { rows } = await database.query<{ sinceMs: number | null }>(
    `select (extract(epoch from clock_timestamp() - max(coalesce(answered_at, begun_at))) * 1000)::float8 as "sinceMs"
     from case_requests where case_id = $1 and operation = $2`,
    [caseId, operation],
  );
  return rows[0]?.sinceMs ?? null;
}

/** Whether the case is still being prepared with this revision. */
export async function isCurrentRevision(database: Queryable, caseId: string, revision: number): Promise<boolean> {
  const { rows } = await database.query(
    `select from cases where case_id = $1 and state = 'preparing' and revision = $2`,
    [caseId, revision],
  );
  return rows.length > 0;
}

const SCREENINGS_LOOKED_AT = 20;

/**
 * Whether the account's last screenings were mostly shown by a read of the user, and not by the answer to their request.
 * Without one nobody knows: then a read is expected, as nobody minds being done sooner than foretold.
 */
export async function isScreeningShownLate(database: Queryable, account: string): Promise<boolean> {
  const { rows } = await database.query<{ isLate: boolean }>(
    `select coalesce(avg(case answer when 'as_asked' then 0 else 1 end) > 0.5, true) as "isLate" from (
       select answer from case_requests join cases using (case_id)
       where account = $1 and operation = 'screen' and outcome = 'took_effect'
       order by answered_at desc limit ${SCREENINGS_LOOKED_AT}) as last`,
    [account],
  );
  return rows[0]?.isLate !== false;
}
