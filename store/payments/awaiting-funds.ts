import { MONEY_WEBHOOK_KINDS } from '../../domain/accounts/money-webhooks.ts';
import type { FundsEvents } from '../../domain/runs/funds-schedule.ts';
import type { WaitingForFunds } from '../../domain/payments/affordable-payments.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';
import { lastRead, TOTAL } from './funds-needed.ts';

/** How many payments wait for money, and how old the webhooks about money are, by the database's clock. */
export async function readFundsNews(
  database: Queryable,
  account: string,
  sinceLastReadMs: number,
): Promise<FundsEvents> {
  const { rows } = await database.query<{ waiting: number; first_ms: number | null; last_ms: number | null }>(
    `select (select count(*)::int from payments where account = $1 and state = 'awaiting_funds') as waiting,
       (extract(epoch from clock_timestamp() - min(last_received_at)) * 1000)::float8 as first_ms,
       (extract(epoch from clock_timestamp() - max(last_received_at)) * 1000)::float8 as last_ms
     from webhook_inbox where account = $1 and kind in (${sqlList(MONEY_WEBHOOK_KINDS)})
       and last_received_at > clock_timestamp() - make_interval(secs => $2)`,
    [account, sinceLastReadMs / 1_000],
  );
  const row = rows[0];
  return {
    waiting: row?.waiting ?? 0,
    sinceFirstEventMs: row?.first_ms ?? null,
    sinceLastEventMs: row?.last_ms ?? null,
  };
}

/**
 * Payments that the balance in their currency is enough for, by the last read, in the order in which they are to be paid:
 * the first `limit` of each currency, so that no currency blocks another.
 */
export async function listAwaitingFunds(
  database: Queryable,
  account: string,
  limit: number,
): Promise<WaitingForFunds[]> {
  const { rows } = await database.query<WaitingForFunds>(
    `select "paymentId", currency, total, balance from (
       select payment_id as "paymentId", payments.sell_currency as currency,
         ${TOTAL}::text as total, balances.amount::text as balance,
         row_number() over (partition by payments.sell_currency order by runs.started_at, payments.run_id, row_number) as place
       from payments join runs using (run_id)
       join balance_snapshots balances on balances.account = payments.account and balances.currency = payments.sell_currency
         and balances.read_at = ${lastRead('$1')}
       where payments.account = $1 and payments.state = 'awaiting_funds'
         and ${TOTAL} <= balances.amount
         and not is_stopped(payments.account, payments.run_id)
     ) as payable where place <= $2 order by place`,
    [account, limit],
  );
  return rows;
}

/** Notes that a read balance is enough for these payments: each may be funded once for that read. */
export async function noteFundsSeen(database: Queryable, paymentIds: readonly string[]): Promise<void> {
  await database.query(
    `update payments set funds_seen_at = clock_timestamp() where payment_id = any($1::uuid[]) and state = 'awaiting_funds'`,
    [paymentIds],
  );
}

/** Runs of the account with rows that are to be sent and were not begun. */
export async function listRunsToBegin(database: Queryable, account: string): Promise<string[]> {
  const { rows } = await database.query<{ run_id: string }>(
    `select run_id from runs where account = $1 and started_at is not null and finished_at is null
       and exists (select from payments where payments.run_id = runs.run_id and state = 'ready' and workflow_begun_at is null)`,
    [account],
  );
  return rows.map((row) => row.run_id);
}
