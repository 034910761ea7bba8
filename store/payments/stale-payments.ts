import { IN_FLIGHT_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';

/**
 * Payments in flight for longer than the age limit become `unknown`, and people resolve them. A read after the limit must
 * have shown that the payment has not ended; a payment that cannot be read is given up after twice the limit.
 */
export async function giveUpStalePayments(database: Queryable, account: string, ageLimitMs: number): Promise<number> {
  const { rowCount } = await database.query(
    `with given_up as (
       update payments set state = 'unknown', notification_pending = true, ended_at = clock_timestamp(), changed_at = clock_timestamp(),
         error_code = 'not_confirmed', error_message = 'the provider has not said in time what became of this payment'
       where account = $1 and state in (${sqlList(IN_FLIGHT_PAYMENT_STATES)})
         and coalesce(funded_at, created_at) + make_interval(secs => $2) < clock_timestamp()
         -- guard: given-up-by-a-read
         and (polled_at > coalesce(funded_at, created_at) + make_interval(secs => $2)
           or coalesce(funded_at, created_at) + 2 * make_interval(secs => $2) < clock_timestamp())
       returning run_id, payment_id
     )
     insert into audit_entries (actor, kind, run_id, payment_id, detail)
     select 'worker', 'not_confirmed_in_time', run_id, payment_id, '{"state": "unknown"}' from given_up`,
    [account, ageLimitMs / 1000],
  );
  return rowCount ?? 0;
}
