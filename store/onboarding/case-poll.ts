import {
  type CaseState,
  OBSERVED_CASE_STATES,
  ONBOARDER_CASE_STATES,
  OPEN_CASE_STATES,
  PROVIDER_CASE_STATES,
  SUPPLIABLE_CASE_STATES,
  UNANSWERED_CASE_STATES,
} from '../../domain/onboarding/case-state.ts';
import { sqlList } from '../database/sql-list.ts';
import type { Queryable } from '../database/database.ts';

/** When the user of a case is read without a webhook: after a pause that doubles from `firstMs` to `maxMs`. */
export interface CasePollSettings {
  firstMs: number;
  maxMs: number;
}

const MAX_DUE = 50;
const MAX_CANDIDATES = 10;

/** SQL: when an open case is to be read again; $2 and $3 are the first pause and the longest, in milliseconds. */
const NEXT_READ = `coalesce(read_at, waiting_since, changed_at)
  + make_interval(secs => least($2::float8 * power(2, least(reads, 20)), $3::float8) / 1000)`;

export interface DueCases {
  /** Those with a new webhook first, then those that were not read for the longest time. */
  due: { caseId: string; hasWebhook: boolean }[];
  /** Milliseconds until the next one is due; null: none waits. */
  nextInMs: number | null;
  open: number;
}

export async function listDueCases(
  database: Queryable,
  account: string,
  settings: CasePollSettings,
): Promise<DueCases> {
  const { rows } = await database.query<{ caseId: string; hasWebhook: boolean; inMs: number }>(
    `select case_id as "caseId", webhook_received_at > coalesce(read_at, '-infinity') as "hasWebhook",
       (extract(epoch from ${NEXT_READ} - clock_timestamp()) * 1000)::float8 as "inMs"
     from cases where account = $1 and user_id is not null and state in (${sqlList(OBSERVED_CASE_STATES)})
     order by (webhook_received_at > coalesce(read_at, '-infinity')) is true desc, ${NEXT_READ} limit ${MAX_DUE + 1}`,
    [account, settings.firstMs, settings.maxMs],
  );
  const { rows: counted } = await database.query<{ open: number }>(
    `select count(*)::int as open from cases where account = $1 and state in (${sqlList(OPEN_CASE_STATES)})`,
    [account],
  );
  const due = rows.filter(({ hasWebhook, inMs }) => hasWebhook || inMs <= 0).slice(0, MAX_DUE);
  const later = rows.filter((row) => !due.includes(row)).map(({ inMs }) => Math.max(0, inMs));
  return {
    due: due.map(({ caseId, hasWebhook }) => ({ caseId, hasWebhook })),
    nextInMs: later.length === 0 ? null : Math.min(...later),
    open: counted[0]?.open ?? 0,
  };
}

/** What a read of a user that a webhook named has shown. */
export type CandidateResult = 'shown' | 'absent' | 'unreadable';

/**
 * Users that webhooks named since a sign-up got an unknown outcome, that no case has, and that were not read yet, or not lately: one
 * that could not be read is read again each hour, and one that was not there each day.
 */
export async function listCandidates(database: Queryable, account: string): Promise<string[]> {
  const { rows } = await database.query<{ userId: string }>(
    `select resource_id as "userId" from webhook_inbox inbox
     left join case_candidates read on read.account = $1 and read.user_id = resource_id
     where inbox.account = $1 and kind = 'user' and resource_id is not null
       and last_received_at > (select min(begun_at) from case_requests join cases using (case_id)
         where account = $1 and state in (${sqlList(UNANSWERED_CASE_STATES)}) and operation = 'sign_up')
       and not exists (select from cases where cases.account = $1 and cases.user_id = inbox.resource_id)
       and (read.user_id is null or result = 'unreadable' and read_at < clock_timestamp() - interval '1 hour'
         or result = 'absent' and read_at < clock_timestamp() - interval '1 day')
     group by resource_id order by min(read_at) nulls first limit ${MAX_CANDIDATES}`,
    [account],
  );
  return rows.map(({ userId }) => userId);
}

/** Users to be read before two people's word counts that the sign-up of a case never took effect; some of them, if there are many. */
export async function listUsersToRead(
  database: Queryable,
  caseId: string,
): Promise<{ userId: string; isUnreadable: boolean }[]> {
  const { rows } = await database.query<{ userId: string; isUnreadable: boolean }>(
    `select user_id as "userId", is_unreadable as "isUnreadable" from users_to_read($1)
     order by is_unreadable desc, user_id limit ${MAX_CANDIDATES}`,
    [caseId],
  );
  return rows;
}

export async function noteCandidate(
  database: Queryable,
  account: string,
  { userId, result }: { userId: string; result: CandidateResult },
): Promise<void> {
  await database.query(
    `insert into case_candidates (account, user_id, result) values ($1, $2, $3)
     on conflict (account, user_id) do update set result = excluded.result, read_at = excluded.read_at`,
    [account, userId, result],
  );
}

/** A case whose workflow is to be started, or notified that people have changed something, or may be lost. */
export interface ChangedCase {
  caseId: string;
  /** How often people have changed it. */
  changes: number;
}

export async function listChanged(database: Queryable, account: string, limit: number): Promise<ChangedCase[]> {
  const { rows } = await database.query<ChangedCase>(
    `select case_id as "caseId", changes from cases where account = $1 and (notified_changes < changes
       or ended_at is null and coalesce(looked_at, submitted_at) < clock_timestamp() - interval '6 hours')
     order by notified_changes < changes desc, looked_at, submitted_at, applicant_ref limit $2`,
    [account, limit],
  );
  return rows;
}

/** Of a change that was made meanwhile the next call notifies it. */
export async function markNotified(database: Queryable, { caseId, changes }: ChangedCase): Promise<void> {
  await database.query('update cases set notified_changes = greatest(notified_changes, $2) where case_id = $1', [
    caseId,
    changes,
  ]);
}

/** Accounts with cases that are open, or whose workflow is to be notified. */
export async function listOnboardingAccounts(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ account: string }>(
    'select distinct account from cases where ended_at is null or notified_changes < changes',
  );
  return rows.map(({ account }) => account);
}

/** Whether the case waits for an onboarder since before the age limit. */
export function isTooOld(database: Queryable, caseId: string, ageLimitMs: number): Promise<boolean> {
  return waitsFor(database, caseId, SUPPLIABLE_CASE_STATES, ageLimitMs);
}

/** Whether the provider has been acting on the case for so long that an onboarder has to ask it. */
export function isUndecided(database: Queryable, caseId: string, undecidedMs: number): Promise<boolean> {
  return waitsFor(database, caseId, PROVIDER_CASE_STATES, undecidedMs);
}

async function waitsFor(
  database: Queryable,
  caseId: string,
  states: readonly CaseState[],
  limitMs: number,
): Promise<boolean> {
  const { rows } = await database.query(
    `select from cases where case_id = $1 and state in (${sqlList(states)})
       and waiting_since < clock_timestamp() - make_interval(secs => $2::float8 / 1000)`,
    [caseId, limitMs],
  );
  return rows.length > 0;
}

/** Counts a reminder when one is due: of a case that waits for an onboarder, or for the provider. */
export async function remindIfDue(
  database: Queryable,
  caseId: string,
  { reminderMs, providerReminderMs }: { reminderMs: number; providerReminderMs: number },
): Promise<boolean> {
  const { rows } = await database.query<{ reminded: number }>(
    `with reminded as (
       update cases set reminders = reminders + 1, reminded_at = clock_timestamp()
       where case_id = $1 and state in (${sqlList([...ONBOARDER_CASE_STATES, ...PROVIDER_CASE_STATES])})
         and coalesce(reminded_at, waiting_since) < clock_timestamp() - make_interval(
           secs => case when state in (${sqlList(PROVIDER_CASE_STATES)}) then $3 else $2 end::float8 / 1000)
       returning case_id, state, reminders
     ), audited as (
       insert into audit_entries (actor, kind, detail)
       select 'worker', 'case_reminded', jsonb_build_object('case', case_id, 'state', state, 'reminders', reminders) from reminded
     )
     select count(*)::int as reminded from reminded`,
    [caseId, reminderMs, providerReminderMs],
  );
  return rows[0]?.reminded === 1;
}

/** Its workflow looks at the case now. */
export async function noteLooked(database: Queryable, caseId: string): Promise<void> {
  await database.query('update cases set looked_at = clock_timestamp() where case_id = $1', [caseId]);
}
