import { MONEY_LEFT_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { MONEY_LEFT_CONVERSION_STATES } from '../../domain/treasury/conversion-state.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';
import type { StoredReference } from './orders.ts';

/** Payments of one day, run and pair together; or one conversion, with what its quote was compared with. */
export interface FundedExchange {
  of: 'payments' | 'conversions';
  /** YYYY-MM-DD, UTC. */
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

const PAYMENTS = `
  select 'payments' as of, (funded_at at time zone 'UTC')::date::text as day, run_id::text as "runId", file_name as "fileName",
    sell_currency as "sellCurrency", buy_currency as "buyCurrency", count(*)::int as count,
    sum(payments.sell_amount)::text as "sellAmount", sum(payments.buy_amount)::text as "buyAmount",
    sum(coalesce(total_amount, payments.sell_amount))::text as "totalAmount", null as reference
  from payments join runs using (run_id)`;
const FUNDED = `payments.state in (${sqlList(MONEY_LEFT_PAYMENT_STATES)}) and payments.sell_amount is not null
  and payments.buy_amount is not null and funded_at is not null group by 2, 3, 4, 5, 6`;

/** What was funded of a run and did not come back. */
export async function listFundedOfRun(database: Queryable, runId: string): Promise<FundedExchange[]> {
  const { rows } = await database.query<FundedExchange>(
    `${PAYMENTS} where payments.run_id = $1 and ${FUNDED} order by 2, 5, 6`,
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
    `with days as (select $2::date::timestamp at time zone 'UTC' as begins, ($3::date + 1)::timestamp at time zone 'UTC' as ends)
     ${PAYMENTS} cross join days
     where ($1::text[] is null or payments.account = any($1)) and funded_at >= begins and funded_at < ends and ${FUNDED}
     union all
     select 'conversions', (funded_at at time zone 'UTC')::date::text, null, null, sell_currency, buy_currency, 1,
       sell_amount::text, buy_amount::text, total_amount::text, reference
     from conversion_orders cross join days
     where ($1::text[] is null or account = any($1)) and funded_at >= begins and funded_at < ends
       and state in (${sqlList(MONEY_LEFT_CONVERSION_STATES)})
     order by 1, 3, 5, 2`,
    [accounts, from, to],
  );
  return rows;
}
