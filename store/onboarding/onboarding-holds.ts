import type { HoldKind } from '../../domain/onboarding/onboarding-hold.ts';
import { NOT_SIGNED_UP_CASE_STATES } from '../../domain/onboarding/case-state.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';

export interface OnboardingHold {
  account: string;
  kind: HoldKind;
  since: Date;
  /** Null: it does not end by itself, or nobody knows when. */
  until: Date | null;
}

/** SQL, of requests: a sign-up that got no answer. */
const UNANSWERED_SIGN_UP = `operation = 'sign_up' and outcome is null and answer is distinct from 'as_asked'`;

/**
 * SQL: since when the last answered sign-up of the account `named` is one that was not authenticated, and is still to be sent.
 */
const NOT_AUTHENTICATED = `select answered_at from (
    select answered_at, answer, state from case_requests join cases using (case_id)
    where operation = 'sign_up' and answered_at is not null and cases.account = named.account
    order by answered_at desc limit 1) as last
  where answer = 'unauthenticated' and state in (${sqlList(NOT_SIGNED_UP_CASE_STATES)})`;

/** One user that cannot be read holds nobody for longer than this: then somebody else is signed up, and holds the others in turn. */
const UNREADABLE_HOLDS = '1 hour';

/**
 * SQL, of the account `named`: since when the newest sign-up is waited for, as its user was not read yet and another one of the account
 * cannot be read. The provider may show none of them, and may show all but one.
 */
const WAITS_FOR_READABLE = `select requests.begun_at from case_requests requests join cases using (case_id)
  where cases.account = named.account and operation = 'sign_up' and outcome_may_be_effect(outcome)
    and cases.provider_status is null and ended_at is null and requests.begun_at > clock_timestamp() - interval '${UNREADABLE_HOLDS}'
    and exists (select from cases other where other.account = named.account and other.ended_at is null
      and other.state_reason = 'user_not_readable' and other.provider_status is null)`;

/**
 * Whether the provider may let no new user of the account be read: nobody else is signed up before the newest one can be, for an hour
 * at most. `caseId`: the case whose sign-up is about to be sent waits for those that were begun before it.
 */
export async function hasUnreadableUser(database: Queryable, account: string, caseId: string): Promise<boolean> {
  const { rows } = await database.query(
    `select from (select $1::text as account) as named cross join lateral (${WAITS_FOR_READABLE}
       and case_id <> $2 and begun_at < coalesce((select max(begun_at) from case_requests own where own.case_id = $2
         and own.operation = 'sign_up' and own.answered_at is null), 'infinity') limit 1) as newest`,
    [account, caseId],
  );
  return rows.length > 0;
}

/**
 * Milliseconds since the last sign-up of the account that got no answer, null without one: the provider may be failing for
 * all of them.
 */
export async function msSinceUnanswered(database: Queryable, account: string): Promise<number | null> {
  const { rows } = await database.query<{ sinceMs: number | null }>(
    `select (extract(epoch from clock_timestamp() - max(answered_at)) * 1000)::float8 as "sinceMs"
     from case_requests join cases using (case_id) where account = $1 and ${UNANSWERED_SIGN_UP}`,
    [account],
  );
  return rows[0]?.sinceMs ?? null;
}

/**
 * What holds the cases of these accounts now, by the same rules as the worker that sends. `unansweredMs`: for how long a
 * sign-up without an answer holds the others.
 */
export async function listOnboardingHolds(
  database: Queryable,
  accounts: readonly string[],
  unansweredMs: number,
): Promise<OnboardingHold[]> {
  const { rows } = await database.query<OnboardingHold>(
    `with named as (select account from unnest($1::text[]) as account), holds as (
       select account, 'stopped' as kind, (select min(stopped_at) from stops where lifted_at is null
         and (scope = 'all' or stops.account = named.account and stops.run_id is null)) as since, null::timestamptz as until
       from named where is_stopped(account, null)
       union all
       select account, 'paused', paused_at, null from sign_up_pauses join named using (account) where lifted_at is null
       union all
       select account, 'unreadable', max(begun_at), max(begun_at) + interval '${UNREADABLE_HOLDS}' from named
       cross join lateral (${WAITS_FOR_READABLE}) as newest group by account
       union all
       select account, 'unanswered', max(answered_at), max(answered_at) + make_interval(secs => $2::float8 / 1000)
       from case_requests join cases using (case_id) join named using (account)
       where ${UNANSWERED_SIGN_UP}
       group by account having max(answered_at) + make_interval(secs => $2::float8 / 1000) > clock_timestamp()
       union all
       select account, 'not_authenticated', answered_at, null from named cross join lateral (${NOT_AUTHENTICATED}) as last
     )
     select account, kind, coalesce(since, clock_timestamp()) as since, until from holds order by account, kind`,
    [accounts, unansweredMs],
  );
  return rows;
}
