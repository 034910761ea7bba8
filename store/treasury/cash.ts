import { PENDING_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { PAYING_RUN_STATES } from '../../domain/runs/run-state.ts';
import { EXPECTED_CONVERSION_STATES } from '../../domain/treasury/conversion-state.ts';
import { type BoughtMoney, notYetCredited, type UnexplainedCredit } from '../../domain/treasury/incoming-money.ts';
import type { QuotedPair } from '../../domain/treasury/indicative-prices.ts';
import type { ReservedMoney, RunCost } from '../../domain/treasury/planned-costs.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';
import { epochMs } from '../database/sql-times.ts';

/** What is free in a currency: by the ledger, else the balance that was read last, of which nothing is reserved. */
export interface FreeMoney {
  currency: string;
  /** A decimal string. */
  free: string;
  /** `complete`: the ledger decides; `no_entries`: the balance has not changed yet; `not_usable`: its history cannot be followed, or was not read lately. */
  historyStatus: 'complete' | 'no_entries' | 'not_usable';
}

export async function readFreeMoney(database: Queryable, account: string): Promise<FreeMoney[]> {
  const { rows } = await database.query<FreeMoney>(
    `select currency,
       (case when chains.account is null then snapshots.amount else coalesce(held.amount, 0) end)::text as free,
       case when chains.account is null then 'no_entries'
         when money_for_run(account, currency, null) is not null then 'complete' else 'not_usable' end as "historyStatus"
     from balance_snapshots snapshots full join balance_chains chains using (account, currency)
     left join (select account, currency, amount from ledger_balances where ledger_account = 'free') as held using (account, currency)
     where account = $1 order by currency`,
    [account],
  );
  return rows;
}

/** What approved rows cost, by run, currency and date, and what is reserved for it. */
export interface RunCosts {
  costs: RunCost[];
  reserved: ReservedMoney[];
  /** Rows that fix the amount received, in a pair of which nothing was quoted lately: their cost is not known. */
  unknown: { currency: string; rows: number }[];
}

/** `today`: YYYY-MM-DD; rows without a date to be paid on are paid today. */
export async function readRunCosts(database: Queryable, account: string, today: string): Promise<RunCosts> {
  const { rows } = await database.query<RunCost & { unknown: number }>(
    `with open_rows as (
       select run_id, payments.account, sell_currency, buy_currency, amount, amount_side,
         coalesce(total_amount, payments.sell_amount) as total,
         greatest(coalesce(nullif(instruction ->> 'payOn', ''), $2), $2) as due
       from payments join runs using (run_id)
       where runs.account = $1 and runs.state in (${sqlList(PAYING_RUN_STATES)}) and payments.state in (${sqlList(PENDING_PAYMENT_STATES)})
         and not exists (select from ledger_balances held where held.account = payments.account
           and held.currency = sell_currency and held.ledger_account = 'payment/' || payment_id || '-' || attempt and held.amount > 0)
     ), rates as materialized (
       select pairs.sell_currency, pairs.buy_currency, (
         select quoted.total_amount / quoted.buy_amount from payments quoted
         where quoted.account = $1 and quoted.sell_currency = pairs.sell_currency and quoted.buy_currency = pairs.buy_currency
           and quoted.funded_at is not null and quoted.total_amount > 0 and quoted.buy_amount > 0
         order by quoted.funded_at desc limit 1) as rate
       from (select distinct sell_currency, buy_currency from open_rows where amount_side = 'buy') as pairs
     )
     select run_id as "runId", sell_currency as currency, due as on, count(*) filter (where cost is null)::int as unknown,
       coalesce(sum(cost), 0)::text as amount
     from (
       select run_id, sell_currency, due, round(coalesce(total,
         case when amount_side = 'sell' or buy_currency = sell_currency then amount else amount * rate end), 4) as cost
       from open_rows left join rates using (sell_currency, buy_currency)
     ) as costs
     group by run_id, sell_currency, due order by due, run_id, sell_currency`,
    [account, today],
  );
  const { rows: reserved } = await database.query<ReservedMoney>(
    `select split_part(ledger_account, '/', 2) as "runId", currency, amount::text as amount
     from ledger_balances where account = $1 and kind = 'run' and amount > 0`,
    [account],
  );
  const unknown = new Map<string, number>();
  for (const row of rows)
    if (row.unknown > 0) unknown.set(row.currency, (unknown.get(row.currency) ?? 0) + row.unknown);
  return {
    costs: rows.map(({ runId, currency, amount, on }) => ({ runId, currency, amount, on })),
    reserved,
    unknown: [...unknown].map(([currency, count]) => ({ currency, rows: count })),
  };
}

/** Older prices say little about today's. */
const QUOTES_OF_DAYS = 30;

/** The newest quote of each pair, of payments and of orders to convert. */
export async function readQuotedPairs(database: Queryable, account: string): Promise<QuotedPair[]> {
  const { rows } = await database.query<QuotedPair>(
    `select distinct on (sell, buy) sell, buy, total::text as "totalAmount", bought::text as "buyAmount"
     from (
       select sell_currency as sell, buy_currency as buy, total_amount as total, buy_amount as bought, quoted_at from payments
       where account = $1 and sell_currency <> buy_currency and quoted_at > clock_timestamp() - make_interval(days => $2)
       union all
       select sell_currency, buy_currency, (quote ->> 'totalAmount')::numeric, (quote ->> 'buyAmount')::numeric, quoted_at
       from conversion_orders where account = $1 and quoted_at > clock_timestamp() - make_interval(days => $2)
     ) as quotes where total > 0 and bought > 0
     order by sell, buy, quoted_at desc`,
    [account, QUOTES_OF_DAYS],
  );
  return rows;
}

/** Money that was bought, may still come, and is not credited yet. */
export interface IncomingMoney {
  currency: string;
  amount: string;
  /** Since when it is on its way, in milliseconds since the epoch. */
  sinceMs: number;
  /** It is expected on its usual day. Else people have to find out whether it comes: nobody counts on it, and nothing is bought in its place. */
  isExpected: boolean;
}

export async function readIncoming(database: Queryable, account: string): Promise<IncomingMoney[]> {
  const { rows: bought } = await database.query<IncomingMoney & BoughtMoney>(
    `select buy_currency as currency, trim_scale(buy_amount)::text as amount, ${epochMs('coalesce(funded_at, changed_at)')} as "sinceMs",
       ${epochMs(`coalesce((select min(begun_at) from conversion_requests
         where conversion_requests.order_id = orders.order_id and operation = 'fund'), created_at)`)} as "creditableSinceMs",
       state in (${sqlList(EXPECTED_CONVERSION_STATES)}) as "isExpected"
     from conversion_orders orders
     where account = $1 and order_may_bring_money(orders) and buy_amount is not null`,
    [account],
  );
  const { rows: credits } = await database.query<UnexplainedCredit>(
    `select currency, trim_scale(receipts.amount)::text as amount, ${epochMs('first_seen_at')} as "seenAtMs"
     from receipts join balance_entries using (account, currency, entry_id)
     where account = $1 and (explained_by is null or explained_by = 'person') and not follows_debit
       and (currency, receipts.amount) in (select buy_currency, buy_amount from conversion_orders orders
         where orders.account = $1 and order_may_bring_money(orders))`,
    [account],
  );
  return notYetCredited(bought, credits).map(({ currency, amount, sinceMs, isExpected }) => ({
    currency,
    amount,
    sinceMs,
    isExpected,
  }));
}

const OBSERVED_CONVERSIONS = 200;

/** How long the last conversions took from their funding to the credit, in milliseconds. */
export async function readCompletionTimes(database: Queryable, account: string): Promise<number[]> {
  const { rows } = await database.query<{ ms: number }>(
    `select (extract(epoch from ended_at - funded_at) * 1000)::float8 as ms from conversion_orders
     where account = $1 and state = 'settled' and funded_at is not null order by ended_at desc limit ${OBSERVED_CONVERSIONS}`,
    [account],
  );
  return rows.map(({ ms }) => ms);
}
