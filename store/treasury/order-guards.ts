import type { GuardFinding, GuardInput } from '../../domain/treasury/conversion-guards.ts';
import type { ConversionOrder } from '../../domain/treasury/conversion-order.ts';
import type { RateDirection } from '../../domain/treasury/conversion-price.ts';
import { OPEN_CONVERSION_STATES } from '../../domain/treasury/conversion-state.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';

/** The limits of the policy for a pair. `day`: YYYY-MM-DD, where the daily cap is counted. */
export interface ConversionLimits {
  maxOrder: string | null;
  dailyCap: string | null;
  approvalAbove: string | null;
  secondFunding: 'payrun' | 'person';
  direction: RateDirection | null;
  day: string;
}

export async function readConversionLimits(
  database: Queryable,
  { account, sellCurrency, buyCurrency }: Pick<ConversionOrder, 'account' | 'sellCurrency' | 'buyCurrency'>,
): Promise<ConversionLimits> {
  const { rows } = await database.query<{ limits: ConversionLimits }>(
    'select conversion_limits($1, $2, $3) as limits',
    [account, sellCurrency, buyCurrency],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a database function gave no answer');
  return row.limits;
}

/** Locks what others have committed on the day until the transaction ends, so that no other order of the currency counts it. */
export async function lockCommittedToday(
  transaction: Queryable,
  { orderId, account, sellCurrency }: ConversionOrder,
  { day }: ConversionLimits,
): Promise<string> {
  const { rows } = await transaction.query<{ committed: string }>(
    `select (lock_treasury_day($1, $2, $3::date)
       - coalesce((select total_amount from conversion_orders where order_id = $4 and committed_on = $3::date), 0))::text as committed`,
    [account, sellCurrency, day, orderId],
  );
  return rows[0]?.committed ?? '0';
}

/** Locks what orders buy of a currency until the transaction ends: of two that buy it at the same moment, the second one sees the first. */
export async function lockBoughtMoney(
  transaction: Queryable,
  { account, buyCurrency }: Pick<ConversionOrder, 'account' | 'buyCurrency'>,
): Promise<void> {
  await transaction.query('select lock_bought_money($1, $2)', [account, buyCurrency]);
}

/** What all orders have committed on the day, without a lock. */
export async function readCommittedToday(
  database: Queryable,
  { account, sellCurrency }: ConversionOrder,
  { day }: ConversionLimits,
): Promise<string> {
  const { rows } = await database.query<{ committed: string }>(
    'select committed::text from treasury_days where account = $1 and currency = $2 and day = $3::date',
    [account, sellCurrency, day],
  );
  return rows[0]?.committed ?? '0';
}

/** What else the guards compare an order with. */
export async function readGuardFacts(
  database: Queryable,
  { orderId, account, sellCurrency, buyCurrency }: ConversionOrder,
): Promise<Pick<GuardInput, 'free' | 'openOrders' | 'nowMs'> & { isApproved: boolean }> {
  const { rows } = await database.query<{
    free: string | null;
    openOrders: GuardInput['openOrders'];
    nowMs: number;
    isApproved: boolean;
  }>(
    `select
       -- With what is committed to the order itself; where the ledger does not decide, what the provider showed last.
       coalesce(money_for_run($2, $3, null) + coalesce((select amount from ledger_balances
         where account = $2 and currency = $3 and ledger_account = 'conversion/' || $1::uuid), 0), (select amount from balance_snapshots where account = $2 and currency = $3))::text as free,
       coalesce((select jsonb_agg(jsonb_build_object('orderId', order_id, 'sellCurrency', sell_currency, 'buyCurrency', buy_currency))
         from conversion_orders where account = $2 and order_id <> $1 and state in (${sqlList(OPEN_CONVERSION_STATES)})
           and least(sell_currency, buy_currency) = least($3, $4) and greatest(sell_currency, buy_currency) = greatest($3, $4)),
         '[]') as "openOrders",
       (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs",
       exists (select from conversion_decisions decided join conversion_orders orders using (order_id, order_hash)
         where order_id = $1 and decision = 'approved' and decided_by <> placed_by)
         or conversion_is_scheduled($1, (select approval_covers from conversion_orders where order_id = $1)) as "isApproved"`,
    [orderId, account, sellCurrency, buyCurrency],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a statement without a table gave no row');
  return { ...row, free: row.free ?? '0' };
}

export async function recordFindings(
  database: Queryable,
  orderId: string,
  findings: readonly GuardFinding[],
): Promise<void> {
  await database.query(`update conversion_orders set findings = $2::jsonb where order_id = $1`, [
    orderId,
    JSON.stringify(findings),
  ]);
}
