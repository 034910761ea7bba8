import type { Queryable } from '../database/database.ts';

/**
 * Ends an order whose exact bought amount the history shows as a credit, first seen since it was to be funded, and that
 * nothing else explains. Equal credits are interchangeable; money that comes back of a payment is none. False: not seen yet.
 */
export async function endOrderWithCredit(database: Queryable, orderId: string): Promise<boolean> {
  const { rows } = await database.query<{ ended: number }>(
    `with mine as (
       select orders.*, coalesce((select min(begun_at) from conversion_requests
         where conversion_requests.order_id = orders.order_id and operation = 'fund'), created_at) as since
       from conversion_orders orders where order_id = $1 and (state = 'completed' or state = 'unknown' and completed_at is not null)
       for no key update
     ), credit as (
       select entries.entry_id from mine
       join balance_entries entries on entries.account = mine.account and entries.currency = mine.buy_currency
       join receipts on (receipts.account, receipts.currency, receipts.entry_id) = (entries.account, entries.currency, entries.entry_id)
       where position is not null
         and receipts.amount = mine.buy_amount and entries.first_seen_at > mine.since
         and (explained_by is null or explained_by = 'person') and not follows_debit
       -- guard: conversions-take-what-nothing-explains
       order by explained_by is not null, position limit 1
     ), ended as (
       update conversion_orders set state = 'settled', state_reason = null, credit_entry_id = credit.entry_id,
         ended_at = clock_timestamp(), changed_at = clock_timestamp()
       from credit where order_id = $1 returning order_id, account
     ), audited as (
       insert into audit_entries (actor, kind, detail)
       select 'worker', 'conversion_moved', jsonb_build_object('order', order_id, 'account', account, 'state', 'settled',
         'entry', (select entry_id from credit))
       from ended
     )
     select count(*)::int as ended from ended`,
    [orderId],
  );
  return rows[0]?.ended === 1;
}
