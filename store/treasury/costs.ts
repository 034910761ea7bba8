import { MONEY_LEFT_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { MONEY_LEFT_CONVERSION_STATES } from '../../domain/treasury/conversion-state.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';
import type { StoredReference } from './orders.ts';

/** Payments of one day, run and pair together; or one conversion, with what its quote was compared with. */
export interface FundedExchange {
  of: 'payments' | 'conversions';
  /** YYYY-MM-DD, in the time zone of the account. */
  day: string;
  runId: string | null;
  fileName: string | null;
  sellCurrency: string;
  buyCurrency: string;
  count: number;
  sellAmount: string;
  buyAmount: string;
  totalAmount: string;
  reference: StoredReference | null;
}

/** Days are those of the account. */
const ZONES = 'with zones as materialized (select account, time_zone_of(account) as zone from provider_accounts)';

const PAYMENTS = `
  select 'payments' as of, (funded_at at time zone zone)::date::text as day, run_id::text as "runId", file_name as "fileName",
    sell_currency as "sellCurrency", buy_currency as "buyCurrency", count(*)::int as count,
    sum(payments.sell_amount)::text as "sellAmount", sum(payments.buy_amount)::text as "buyAmount",
    sum(coalesce(total_amount, payments.sell_amount))::text as "totalAmount", null as reference
  from payments join runs using (run_id) join zones on zones.account = payments.account`;
const FUNDED = `payments.state in (${sqlList(MONEY_LEFT_PAYMENT_STATES)}) and payments.sell_amount is not null
  and payments.buy_amount is not null and funded_at is not null group by 2, 3, 4, 5, 6`;

/** What was funded of a run and did not come back. */
export async function listFundedOfRun(database: Queryable, runId: string): Promise<FundedExchange[]> {
  const { rows } = await database.query<FundedExchange>(
    `${ZONES} ${PAYMENTS} where payments.run_id = $1 and ${FUNDED} order by 2, 5, 6`,
    [runId],
  );
  return rows;
}

/** What was funded on these days (YYYY-MM-DD, inclusive) and did not come back; null: of all accounts. */
export async function listFundedExchanges(
  database: Queryable,
  { accounts, from, to }: { accounts: readonly string[] | null; from: string; to: string },
): Promise<FundedExchange[]> {
  const { rows } = await database.query<FundedExchange>(
    `${ZONES}, days as materialized (
       select account, $2::timestamp at time zone zone as begins, ($3::date + 1)::timestamp at time zone zone as ends
       from zones where $1::text[] is null or account = any($1))
     ${PAYMENTS} join days on days.account = payments.account
     where funded_at >= begins and funded_at < ends and ${FUNDED}
     union all
     select 'conversions', (funded_at at time zone zone)::date::text, null, null, sell_currency, buy_currency, 1,
       sell_amount::text, buy_amount::text, total_amount::text, reference
     from conversion_orders join zones using (account) join days using (account)
     where funded_at >= begins and funded_at < ends and state in (${sqlList(MONEY_LEFT_CONVERSION_STATES)})
     order by 1, 3, 5, 2`,
    [accounts, from, to],
  );
  return rows;
}
