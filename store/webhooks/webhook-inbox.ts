import type { Queryable } from '../database/database.ts';

export interface InboxEntry {
  account: string;
  bodySha256: string;
  body: string;
  kind: string;
  resourceId: string | null;
  /** It claims that the payment `resourceId` has ended: only that is worth a read. */
  saysEnded: boolean;
}

/**
 * Keeps a webhook before anyone acts on it. False for a body that is there already: it is only counted, since the
 * provider's events have no id and repeat byte for byte. The body is a text to the database, which would refuse some
 * that can be read.
 */
export async function keepWebhook(database: Queryable, entry: InboxEntry): Promise<boolean> {
  const { rows } = await database.query<{ is_new: boolean }>(
    `with kept as (
       insert into webhook_inbox (account, body_sha256, body, kind, resource_id) values ($1, $2, $3, $4, $5)
       on conflict (account, body_sha256)
         do update set times = webhook_inbox.times + 1, last_received_at = clock_timestamp()
       returning times = 1 as is_new
     ), hinted as (
       update payments set hinted_at = clock_timestamp()
       where $6 and account = $1 and provider_payment_id = $5 and state in ('created', 'awaiting_funds', 'funded', 'processing', 'unknown')
     )
     select is_new from kept`,
    [entry.account, entry.bodySha256, entry.body, entry.kind, entry.resourceId, entry.saysEnded],
  );
  return rows[0]?.is_new ?? false;
}

const REMOVED_AT_ONCE = 10_000;

/** Removes those that were first received so many days ago, some thousands of them at most. Answers how many. */
export async function removeWebhooks(database: Queryable, olderThanDays: number): Promise<number> {
  const { rowCount } = await database.query(
    // Their numbers grow with time, so that the oldest are found without an index of its own.
    `delete from webhook_inbox where received_at < now() - make_interval(days => $1)
       and webhook_id in (select webhook_id from webhook_inbox order by webhook_id limit ${REMOVED_AT_ONCE})`,
    [olderThanDays],
  );
  return rowCount ?? 0;
}
