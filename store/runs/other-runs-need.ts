import { PAYMENT_STATE_TABLE, PENDING_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { PAYING_RUN_STATES } from '../../domain/runs/run-state.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';

const REQUESTS_LEFT = PENDING_PAYMENT_STATES.map(
  (state) => `when '${state}' then ${PAYMENT_STATE_TABLE[state].progress.requestsLeft}`,
).join(' ');

/**
 * What the account's other approved runs still have to pay by currency, and the requests that this takes: an estimate for a
 * proposal. Money is reserved by the database functions `reserve_approved_run`, at the approval, and `commit_payment`, before
 * a payment is funded (docs/database-functions.md).
 */
export async function readOtherRunsNeed(
  database: Queryable,
  run: { runId: string; account: string },
): Promise<{ requests: number; byCurrency: { currency: string; amount: string }[] }> {
  const { rows } = await database.query<{ currency: string; amount: string; requests: number }>(
    `select sell_currency as currency,
       trim_scale(coalesce(sum(coalesce(total_amount, sells + coalesce(fees, 0))), 0))::text as amount,
       sum(case payments.state ${REQUESTS_LEFT} end)::int as requests
     from payments join runs using (run_id)
     cross join lateral expected_cost(amount, amount_side, sell_currency, buy_currency,
       priced_channel(instruction, buy_currency, indicative_prices -> 'local'), indicative_prices)
     where runs.account = $2 and runs.run_id <> $1 and runs.state in (${sqlList(PAYING_RUN_STATES)})
       and payments.state in (${sqlList(PENDING_PAYMENT_STATES)})
     group by sell_currency`,
    [run.runId, run.account],
  );
  return {
    requests: rows.reduce((sum, row) => sum + row.requests, 0),
    byCurrency: rows.map(({ currency, amount }) => ({ currency, amount })),
  };
}
