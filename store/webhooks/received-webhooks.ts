import { OPEN_VIRTUAL_ACCOUNT_STATES } from '../../domain/accounts/virtual-account-state.ts';
import { OBSERVABLE_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';

export interface WebhookSubjectRecord {
  kind: 'row' | 'order' | 'case' | 'funding' | 'refund' | 'deposit' | 'virtual_account';
  id: string;
  name: string | null;
  state: string | null;
  runId: string | null;
  line: number | null;
  readAt: string | null;
  /** Nothing of it is read any more. */
  hasEnded: boolean;
}

export interface WebhookRecord {
  webhookId: string;
  account: string;
  body: string;
  kind: string;
  resourceId: string | null;
  times: number;
  receivedAt: Date;
  lastReceivedAt: Date;
  /** It was read after the webhook came last. */
  isRead: boolean;
  subject: WebhookSubjectRecord | null;
}

export interface WebhookFilter {
  /** Null: of all. */
  accounts: readonly string[] | null;
  kind: string | null;
  resourceId: string | null;
  webhookId: string | null;
  before: string | null;
  limit: number;
}

/** What each kind of webhook is about; the columns are those of `WebhookSubjectRecord`. */
const SUBJECTS = `
  select 'row' as kind, payment_id::text as id, row_ref as name, state, run_id::text as run, line, polled_at as read_at,
    state not in (${sqlList(OBSERVABLE_PAYMENT_STATES)}) as has_ended
  from payments where page.kind = 'simple_payment' and account = page.account and provider_payment_id = page.resource_id
  union all
  select 'order', order_id::text, null, state, null, null, status_read_at, ended_at is not null
  from conversion_orders where page.kind = 'conversion' and account = page.account and conversion_id = page.resource_id
  union all
  (select 'case', case_id::text, applicant_ref, state, null, null, read_at, ended_at is not null
  from cases where page.kind = 'user' and account = page.account and user_id = page.resource_id order by submitted_at desc limit 1)
  union all
  select 'funding', funding_id, null, status, null, null, status_read_at, credited_at is not null
  from fundings where page.kind = 'funding' and account = page.account and funding_id = page.resource_id
  union all
  select 'refund', refund_id, null, null, null, null, read_at, read_at is not null
  from refunds where page.kind = 'refund' and account = page.account and refund_id = page.resource_id
  union all
  (select 'deposit', transaction_id, null, status, null, null, confirmed_at, confirmed_at is not null
  from deposits where page.kind = 'deposit' and account = page.account and transaction_id = page.resource_id
  order by reported_at desc limit 1)
  union all
  select 'virtual_account', virtual_account_id::text, name, state, null, null, read_at, state not in (${sqlList(OPEN_VIRTUAL_ACCOUNT_STATES)})
  from virtual_accounts where page.kind = 'virtual_account_request' and account = page.account and provider_request_id = page.resource_id`;

/** The newest first. */
export async function listReceivedWebhooks(database: Queryable, filter: WebhookFilter): Promise<WebhookRecord[]> {
  const { accounts, kind, resourceId, webhookId, before, limit } = filter;
  const { rows } = await database.query<WebhookRecord>(
    `with page as materialized (
       select * from webhook_inbox
       where ($1::text[] is null or account = any($1)) and ($2::text is null or kind = $2)
         and ($3::text is null or resource_id = $3) and ($4::bigint is null or webhook_id = $4)
         and ($5::bigint is null or webhook_id < $5)
       order by webhook_id desc limit $6
     )
     select webhook_id::text as "webhookId", page.account, body, page.kind, resource_id as "resourceId", times,
       received_at as "receivedAt", last_received_at as "lastReceivedAt",
       coalesce(subject.read_at >= last_received_at, false) as "isRead",
       case when subject.id is not null then jsonb_build_object('kind', subject.kind, 'id', subject.id, 'name', subject.name,
         'state', subject.state, 'runId', subject.run, 'line', subject.line, 'hasEnded', subject.has_ended,
         'readAt', to_char(subject.read_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as subject
     from page left join lateral (${SUBJECTS} limit 1) as subject on true
     order by webhook_id desc`,
    [accounts, kind, resourceId, webhookId, before, limit],
  );
  return rows;
}
