import { SUPPLIABLE_CASE_STATES } from '../../domain/onboarding/case-state.ts';
import { OBSERVABLE_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { sqlList } from '../database/sql-list.ts';
import type { Queryable } from '../database/database.ts';

export interface InboxEntry {
  account: string;
  bodySha256: string;
  body: string;
  kind: string;
  resourceId: string | null;
  /** It says that the payment `resourceId` has ended, or the user was decided on: a reason to read. */
  saysEnded: boolean;
}

/**
 * Stores a webhook before anything acts on it. False for a body that is already stored: it is only counted, because the
 * provider's events have no id and repeat byte for byte. The body is stored as text: the database would refuse some valid
 * JSON.
 */
export async function storeWebhook(database: Queryable, entry: InboxEntry): Promise<boolean> {
  const { rows } = await database.query<{ is_new: boolean }>(
    `with kept as (
       insert into webhook_inbox (account, body_sha256, body, kind, resource_id) values ($1, $2, $3, $4, $5)
       on conflict (account, body_sha256)
         do update set times = webhook_inbox.times + 1, last_received_at = clock_timestamp()
       returning times = 1 as is_new
     ), marked as (
       update payments set webhook_received_at = clock_timestamp()
       where $6 and account = $1 and provider_payment_id = $5
         and (state in (${sqlList(OBSERVABLE_PAYMENT_STATES)}) or is_resolved_as_unpaid(payments))
     ), marked_unseen as (
       -- It names a payment that nobody knows: that may be one whose creation was not seen. Events are unsigned, so not each of them.
       -- guard: event-names-an-unseen-creation
       update payments set webhook_received_at = clock_timestamp()
       where $4 = 'simple_payment' and account = $1 and creation_is_looked_for(payments)
         and coalesce(webhook_received_at, 'epoch') < clock_timestamp() - interval '1 minute'
         and not exists (select from payments known where known.account = $1 and known.provider_payment_id = $5)
     ), marked_case as (
       update cases set webhook_received_at = clock_timestamp()
       where $4 = 'user' and account = $1 and user_id = $5 and ended_at is null
         and ($6 or state_reason = 'phone_verification' or state in (${sqlList(SUPPLIABLE_CASE_STATES)}))
     )
     select is_new from kept`,
    [entry.account, entry.bodySha256, entry.body, entry.kind, entry.resourceId, entry.saysEnded],
  );
  return rows[0]?.is_new ?? false;
}

/** Removes what old events have left elsewhere. Returns how many rows. */
export async function forgetOldEvents(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ removed: number }>('select forget_old_events() as removed');
  return rows[0]?.removed ?? 0;
}

const MAX_REMOVED = 10_000;

/** Removes webhooks first received more than so many days ago, 10,000 at most. Returns how many. */
export async function removeWebhooks(database: Queryable, olderThanDays: number): Promise<number> {
  const { rowCount } = await database.query(
    // Ids grow with time, so the oldest are found without an index on the time.
    `delete from webhook_inbox where received_at < now() - make_interval(days => $1)
       and webhook_id in (select webhook_id from webhook_inbox order by webhook_id limit ${MAX_REMOVED})`,
    [olderThanDays],
  );
  return rowCount ?? 0;
}
