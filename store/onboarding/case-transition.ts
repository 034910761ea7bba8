import type { CaseReason } from '../../domain/onboarding/case-reason-codes.ts';
import { type CaseState, mayTransitionCase, stageOfCase, CASE_STATES } from '../../domain/onboarding/case-state.ts';
import { plainUserStatus, UNLISTED_STATUS } from '../../domain/onboarding/user-status.ts';
import type { Queryable } from '../database/database.ts';

/** What is known of a case with a transition; absent: unchanged. */
export interface CaseUpdate {
  reason?: CaseReason | null;
  userId?: string;
  accountId?: string;
  /** As the provider shows it. One that is not listed is recorded as such: the next read encrypts its text. */
  providerStatus?: string;
  /** Fields and documents that the provider asks for. */
  missing?: readonly string[];
  /** Only while the case has this revision: what was found of an earlier one says nothing about the next. */
  revision?: number;
}

/**
 * Moves a case, if the table of states allows it from the state that it has, and is not in `to` already. False when it does
 * not: another worker was faster, or a person has ended the case. An answer without a field erases nothing that is known.
 */
export async function moveCase(
  database: Queryable,
  caseId: string,
  to: CaseState,
  update: CaseUpdate = {},
): Promise<boolean> {
  const from = CASE_STATES.filter((state) => state !== to && mayTransitionCase(state, to));
  const stage = stageOfCase(to);
  const { rows } = await database.query<{ moved: number }>(
    `with moved as (
       update cases set state = $3, state_reason = $4, user_id = coalesce(user_id, $5), account_id = coalesce($6, account_id),
         provider_status = coalesce($7, provider_status),
         encrypted_status = case when coalesce($7, '${UNLISTED_STATUS}') = '${UNLISTED_STATUS}' then encrypted_status end, missing = $8,
         waiting_since = case when $9 then clock_timestamp() end, ended_at = case when $10 then coalesce(ended_at, clock_timestamp()) end,
         reads = 0, reminders = 0, reminded_at = null, changed_at = clock_timestamp()
       where case_id = $1 and state = any($2) and ($11::integer is null or revision = $11)
       returning case_id, account
     ), audited as (
       insert into audit_entries (actor, kind, detail)
       select 'worker', 'case_moved', jsonb_build_object('case', case_id, 'account', account, 'state', $3::text, 'reason', $4::text)
       from moved
     )
     select count(*)::int as moved from moved`,
    [
      caseId,
      from,
      to,
      update.reason ?? null,
      update.userId ?? null,
      update.accountId ?? null,
      update.providerStatus === undefined ? null : plainUserStatus(update.providerStatus),
      (update.missing ?? []).filter((name) => /^[\w-]{1,64}$/.test(name)),
      stage === 'provider' || stage === 'onboarder',
      stage === 'ended',
      update.revision ?? null,
    ],
  );
  return rows[0]?.moved === 1;
}

/**
 * Everything of the revision is with the provider: the details, the company where there is one, and every file verified. False
 * when something is not, as after a new revision was supplied meanwhile.
 */
export async function markReady(
  database: Queryable,
  { caseId, revision, isCompanySent }: { caseId: string; revision: number; isCompanySent: boolean },
): Promise<boolean> {
  const { rows } = await database.query<{ isReady: boolean }>(
    `select not exists (
         select from (select distinct on (slot) verified_at from case_documents where case_id = $1
           order by slot, revision desc) as newest where verified_at is null)
       and exists (select from case_requests where case_id = $1 and operation = 'details' and revision = $2
         and outcome = 'took_effect')
       and (not $3 or exists (select from case_requests where case_id = $1 and operation = 'company' and revision = $2
         and outcome = 'took_effect')) as "isReady"`,
    [caseId, revision, isCompanySent],
  );
  return rows[0]?.isReady === true && (await moveCase(database, caseId, 'ready', { revision }));
}

/**
 * Notes that a user was tried to be read, so that others are read first. It is no read: each attempt of an outage would double
 * the pause until the next one.
 */
export async function recordTried(database: Queryable, caseId: string): Promise<void> {
  await database.query('update cases set read_at = clock_timestamp() where case_id = $1', [caseId]);
}

/**
 * What a read of the user showed, without a transition. A later read than this one is not overwritten. A status that is not
 * listed explains a case that has no other reason; `encryptedStatus` is its text.
 */
export async function recordRead(
  database: Queryable,
  caseId: string,
  seen: { providerStatus: string; encryptedStatus?: Buffer | null; accountId: string | null; readAt: string },
): Promise<void> {
  await database.query(
    `update cases set provider_status = $2, account_id = coalesce($3, account_id), read_at = $4::timestamptz,
       reads = reads + 1, encrypted_status = case when $2 = '${UNLISTED_STATUS}' then coalesce($5, encrypted_status) end,
       state_reason = case when state_reason is null or state_reason in ('user_not_readable', 'status_unlisted')
         or ($2 = '${UNLISTED_STATUS}' and state_reason = 'provider_moved_on')
         then case when $2 = '${UNLISTED_STATUS}' then 'status_unlisted' end else state_reason end
     where case_id = $1 and (read_at is null or read_at <= $4::timestamptz)`,
    // guard: status-encrypted
    [caseId, plainUserStatus(seen.providerStatus), seen.accountId, seen.readAt, seen.encryptedStatus ?? null],
  );
}

/** The provider does not let the user be read: the case says so, unless it has something else to say. */
export async function recordUnreadable(database: Queryable, caseId: string): Promise<void> {
  await database.query(
    `update cases set state_reason = coalesce(state_reason, 'user_not_readable'), reads = reads + 1, read_at = clock_timestamp()
     where case_id = $1`,
    [caseId],
  );
}
