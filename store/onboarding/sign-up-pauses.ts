import { NOT_SIGNED_UP_CASE_STATES } from '../../domain/onboarding/case-state.ts';
import { REPEATED_REFUSALS } from '../../domain/repeated-refusals.ts';
import { callAsUser } from '../database/call-as-user.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';
import type { TokenHash } from '../users/token-hash.ts';

/** Sign-ups of an account that were refused with the same answer so often that the others wait for a person. */
export interface SignUpPause {
  account: string;
  pausedAt: Date;
  /** Of the answer. What the provider wrote is with the cases, encrypted. */
  httpStatus: number | null;
  /** Sign-ups that were refused so, until now. */
  refusals: number;
  /** Cases that wait to be signed up. */
  waiting: number;
}

/**
 * Pauses the sign-ups of an account if its last ones were all refused with the same answer; what was refused before a person
 * let them go on does not count. Called in the transaction that records a refusal: refusals at the same moment are counted one
 * after the other.
 */
export async function pauseAfterRepeatedRefusals(transaction: Queryable, account: string): Promise<void> {
  await transaction.query(`select pg_advisory_xact_lock(hashtextextended('sign-ups ' || $1, 0))`, [account]);
  await transaction.query(
    `with latest as (
       select requests.http_status, answer_digest, answered_at, coalesce(outcome = 'refused', false) as is_refused
       from case_requests requests join cases using (case_id)
       where account = $1 and operation = 'sign_up' and answered_at is not null and outcome is distinct from 'not_sent'
         and answered_at > coalesce((select max(lifted_at) from sign_up_pauses where account = $1), '-infinity')
       order by answered_at desc limit $2
     ), paused as (
       insert into sign_up_pauses (account, http_status, answer_digest, first_refused_at, refusals)
       select $1, min(http_status), min(answer_digest), min(answered_at), count(*) from latest
       -- guard: sign-ups-paused
       having count(*) = $2 and bool_and(is_refused and answer_digest is not null) and count(distinct answer_digest) = 1
       on conflict do nothing returning pause_id, account, http_status, refusals
     )
     insert into audit_entries (actor, kind, detail)
     select 'worker', 'sign_ups_paused',
       jsonb_build_object('pause', pause_id, 'account', account, 'status', http_status, 'refusals', refusals)
     from paused`,
    [account, REPEATED_REFUSALS],
  );
}

export async function areSignUpsPaused(database: Queryable, account: string): Promise<boolean> {
  const { rows } = await database.query('select from sign_up_pauses where account = $1 and lifted_at is null', [
    account,
  ]);
  return rows.length > 0;
}

/** Pauses in force; null: of all accounts. */
export async function listSignUpPauses(
  database: Queryable,
  accounts: readonly string[] | null,
): Promise<SignUpPause[]> {
  const { rows } = await database.query<SignUpPause>(
    `select account, paused_at as "pausedAt", http_status as "httpStatus",
       (select count(*)::int from case_requests join cases using (case_id) where cases.account = pauses.account
         and operation = 'sign_up' and case_requests.answer_digest = pauses.answer_digest
         and answered_at >= first_refused_at) as refusals,
       (select count(*)::int from cases where cases.account = pauses.account and state in (${sqlList(NOT_SIGNED_UP_CASE_STATES)})) as waiting
     from sign_up_pauses pauses where lifted_at is null and ($1::text[] is null or account = any($1)) order by account`,
    [accounts],
  );
  return rows;
}

/** Writes a reminder into the audit trail when one is due: who waits behind a pause is not forgotten. */
export async function remindOfPauseIfDue(database: Queryable, account: string, everyMs: number): Promise<void> {
  await database.query(
    `with reminded as (
       update sign_up_pauses set reminders = reminders + 1, reminded_at = clock_timestamp()
       where account = $1 and lifted_at is null
         and coalesce(reminded_at, paused_at) < clock_timestamp() - make_interval(secs => $2::float8 / 1000)
       returning pause_id, account, reminders
     )
     insert into audit_entries (actor, kind, detail)
     select 'worker', 'sign_ups_pause_reminded', jsonb_build_object('pause', pause_id, 'account', account,
       'reminders', reminders, 'waiting', (select count(*) from cases where cases.account = reminded.account
         and state in (${sqlList(NOT_SIGNED_UP_CASE_STATES)})))
     from reminded`,
    [account, everyMs],
  );
}

/**
 * Lets sign-ups go on. With `retry`, those that were refused with this answer are tried again, except `notRetried`, whose
 * mail address another case has by now.
 */
export async function resumeSignUpsAs(
  database: Queryable,
  tokenHash: TokenHash,
  { account, retry }: { account: string; retry: boolean },
): Promise<{ retried: number; notRetried: number }> {
  const { retried, left } = await callAsUser<{ retried: number; left: number }>(
    database,
    'resume_sign_ups($1, $2, $3)',
    [tokenHash.bytes, account, retry],
  );
  return { retried, notRetried: left };
}

/** Has a refused sign-up tried again. */
export async function retryCaseAs(database: Queryable, tokenHash: TokenHash, caseId: string): Promise<void> {
  await callAsUser(database, 'retry_case($1, $2)', [tokenHash.bytes, caseId]);
}
