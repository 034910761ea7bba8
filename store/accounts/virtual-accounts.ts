import type { RequestOutcome } from '../../domain/payments/request-result.ts';
import {
  OPEN_VIRTUAL_ACCOUNT_STATES,
  UNANSWERED_VIRTUAL_ACCOUNT_STATES,
  type VirtualAccountState,
} from '../../domain/accounts/virtual-account-state.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';

/** What is sent of a virtual account. Amounts are decimal strings. */
export interface VirtualAccountOrder {
  virtualAccountId: string;
  name: string;
  tag: string;
  provider: string;
  currency: string;
  description: string;
  type: 'open' | 'fixed';
  amount: string | null;
  expiryDuration: number | null;
  approveAsync: boolean;
}

/** What the provider shows of a request. A number is kept, and shown once the request is approved. */
export interface ShownVirtualAccount {
  requestId: string;
  /** Null: a status that is not documented. */
  state: VirtualAccountState | null;
  virtualAccountId: string | null;
  number: string | null;
}

/**
 * Records the intent to create one, and answers what to send. Null: it is in another state, or an earlier request may have
 * reached the provider.
 */
export async function beginVirtualAccountRequest(
  database: Queryable,
  virtualAccountId: string,
): Promise<{ requestId: string; account: string; order: VirtualAccountOrder } | null> {
  const { rows } = await database.query<VirtualAccountOrder & { requestId: string; account: string }>(
    `with locked as materialized (
       select * from virtual_accounts where virtual_account_id = $1 and state = 'asked' for update
     ), begun as (
       insert into virtual_account_requests (virtual_account_id) select virtual_account_id from locked on conflict do nothing
       returning request_id, virtual_account_id
     )
     select request_id as "requestId", account, virtual_account_id as "virtualAccountId", name, tag, provider, currency, description, type,
       amount::text as amount, expiry_duration::float8 as "expiryDuration", approve_async as "approveAsync"
     from begun join locked using (virtual_account_id)`,
    [virtualAccountId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { requestId, account, ...order } = row;
  return { requestId, account, order };
}

export interface VirtualAccountAnswer {
  requestId: string;
  /** Null: unknown. */
  outcome: RequestOutcome | null;
  answer: string;
  httpStatus: number | null;
  shown: ShownVirtualAccount | null;
}

/** Records the answer and what follows from it, in one statement. A number in it is not that of a later approval. */
export async function recordVirtualAccountAnswer(
  database: Queryable,
  virtualAccountId: string,
  { requestId, outcome, answer, httpStatus, shown }: VirtualAccountAnswer,
): Promise<void> {
  await database.query(
    `with answered as (
       update virtual_account_requests set answered_at = clock_timestamp(), outcome = $3, answer = $4, http_status = $5
       where request_id = $2 returning virtual_account_id
     )
     update virtual_accounts set changed_at = clock_timestamp(),
       state = case when state not in (${sqlList(UNANSWERED_VIRTUAL_ACCOUNT_STATES)}) or $3 = 'not_sent' then state
         when $3 = 'took_effect' then coalesce($6, 'pending') when $3 = 'refused' then 'rejected' else 'unknown' end,
       state_reason = case when state not in (${sqlList(UNANSWERED_VIRTUAL_ACCOUNT_STATES)}) then state_reason when $3 = 'refused' then 'request_refused'
         when $3::text is null then 'no_answer' end,
       provider_request_id = coalesce(provider_request_id, $7), provider_account_id = coalesce(provider_account_id, $8),
       -- guard: number-of-a-late-answer
       account_number = case when state in (${sqlList(UNANSWERED_VIRTUAL_ACCOUNT_STATES)}) then $9 else account_number end
     where virtual_account_id = $1 and exists (select from answered)`,
    [
      virtualAccountId,
      requestId,
      outcome,
      answer,
      httpStatus,
      shown?.state ?? null,
      shown?.requestId ?? null,
      shown?.virtualAccountId ?? null,
      shown?.number ?? null,
    ],
  );
}

/** The one who was to record the answer died: whether the request reached the provider is not known. */
export async function giveUpVirtualAccountRequest(database: Queryable, virtualAccountId: string): Promise<void> {
  await database.query(
    `update virtual_accounts set state = 'unknown', state_reason = 'no_answer', changed_at = clock_timestamp()
     where virtual_account_id = $1 and state = 'asked'
       and exists (select from virtual_account_requests requests where requests.virtual_account_id = $1 and outcome is null)`,
    [virtualAccountId],
  );
}

/** Before a request is read. `candidate`: nothing is known of it, and it is read once. */
export async function noteVirtualAccountAsked(database: Queryable, account: string, requestId: string): Promise<void> {
  await database.query(
    `with known as (
       update virtual_accounts set asked_at = clock_timestamp() where account = $1 and provider_request_id = $2 returning 1
     )
     insert into virtual_account_candidates (account, provider_request_id)
     select $1, $2 where not exists (select from known) on conflict do nothing`,
    [account, requestId],
  );
}

/**
 * Records what a read showed: of the one that has this request, or whose creation was not answered and whose tag the name ends
 * in. States only move forward, and the number is what was last shown: before the approval it may be another one.
 */
export async function recordVirtualAccountRead(
  database: Queryable,
  account: string,
  shown: ShownVirtualAccount & { name: string | null },
): Promise<void> {
  await database.query(
    `with found as (
       select virtual_account_id, state from virtual_accounts
       where account = $1 and (provider_request_id = $2
         or provider_request_id is null and state in (${sqlList(UNANSWERED_VIRTUAL_ACCOUNT_STATES)}) and right($6, length(tag) + 1) = ' ' || tag)
       order by provider_request_id is null limit 1 for update
     ), answered as (
       update virtual_account_requests requests set outcome = 'took_effect', answered_at = clock_timestamp(), answer = 'found'
       from found where requests.virtual_account_id = found.virtual_account_id and outcome is null
     )
     update virtual_accounts set read_at = clock_timestamp(), changed_at = clock_timestamp(),
       provider_request_id = coalesce(provider_request_id, $2), provider_account_id = coalesce(provider_account_id, $4),
       -- guard: number-of-the-approval (2 lines)
       account_number = case when virtual_accounts.state in (${sqlList(OPEN_VIRTUAL_ACCOUNT_STATES)}) then $5
         when virtual_accounts.state = $3 then coalesce(account_number, $5) else account_number end,
       state = case when $3::text is not null and may_move_virtual_account(virtual_accounts.state, $3) then $3
         when virtual_accounts.state in (${sqlList(UNANSWERED_VIRTUAL_ACCOUNT_STATES)}) then 'pending' else virtual_accounts.state end,
       state_reason = case when virtual_accounts.state is distinct from $3 then null else state_reason end
     from found where virtual_accounts.virtual_account_id = found.virtual_account_id`,
    [account, shown.requestId, shown.state, shown.virtualAccountId, shown.number, shown.name],
  );
}

/** SQL: a request that had no effect, as its answer was 403, is sent again after a pause that doubles with each. */
const PAUSE_AFTER_TRIES = `least(interval '1 hour', interval '10 seconds' * power(2, least(tried.times, 10)))`;

/** What to do about virtual accounts now: an asked one to send, or a request of the provider to read. Null: nothing. */
export async function nextVirtualAccountStep(
  database: Queryable,
  account: string,
  { canRead, readEveryMs }: { canRead: boolean; readEveryMs: number },
): Promise<{ toSend: string | null; toRead: string | null; isWaiting: boolean }> {
  const { rows } = await database.query<{ toSend: string | null; toRead: string | null; isWaiting: boolean }>(
    `select (select virtual_account_id from virtual_accounts cross join lateral (
           select count(*) as times, max(answered_at) as at from virtual_account_requests sent
           where sent.virtual_account_id = virtual_accounts.virtual_account_id and outcome = 'not_sent') as tried
         where account = $1 and state = 'asked' and not is_stopped($1, null)
           -- guard: account-asked-after-pauses
           and (tried.at is null or tried.at < clock_timestamp() - ${PAUSE_AFTER_TRIES})
         order by tried.at nulls first, requested_at limit 1) as "toSend",
       case when $2 then coalesce(
         (select provider_request_id from virtual_accounts waiting where account = $1 and provider_request_id is not null
           and (state = 'pending' or state = 'approved' and account_number is null)
           and (asked_at is null or asked_at < clock_timestamp() - make_interval(secs => $3)
             or exists (select from webhook_inbox where webhook_inbox.account = $1 and kind = 'virtual_account_request'
               and resource_id = provider_request_id and last_received_at > waiting.asked_at))
           order by asked_at nulls first limit 1),
         (select resource_id from webhook_inbox where account = $1 and kind = 'virtual_account_request' and resource_id is not null
           and last_received_at > clock_timestamp() - interval '7 days'
           and exists (select from virtual_accounts where account = $1 and state = 'unknown')
           and not exists (select from virtual_accounts where account = $1 and provider_request_id = resource_id)
           and not exists (select from virtual_account_candidates where account = $1 and provider_request_id = resource_id)
           and (select count(*) from virtual_account_candidates where account = $1
             and read_at > clock_timestamp() - interval '1 hour') < 20
           order by last_received_at limit 1)) end as "toRead",
       exists (select from virtual_accounts where account = $1 and (state in (${sqlList(OPEN_VIRTUAL_ACCOUNT_STATES)})
         or state = 'approved' and account_number is null and $2)
         and requested_at > clock_timestamp() - interval '60 days') as "isWaiting"`,
    [account, canRead, readEveryMs / 1_000],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a query without a table gave no row');
  return row;
}
