import { MONEY_WEBHOOK_KINDS } from '../../domain/accounts/money-webhooks.ts';
import type { WaitingForFunds } from '../../domain/payments/affordable-payments.ts';
import type { FundsEvents } from '../../domain/runs/funds-schedule.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';

/** SQL: what a payment takes from the balance, as far as it is known; `total_of` in the database. Amounts of the provider may be floats. */
export const TOTAL = 'round(coalesce(total_amount, sell_amount, 0), 4)';

/** SQL: when the balances of an account were last read; null: never. */
export const lastRead = (account: string): string =>
  `(select max(read_at) from balance_snapshots where account = ${account})`;

/** What waits for money. */
interface AccountFunding extends FundsEvents {
  /** Payments that wait for money, of all currencies. */
  waitingInAll: number;
}

/**
 * SQL: the currencies of account $1 whose ledger decides what may be funded. If the provider refuses a funding that the ledger
 * allowed, the payment waits until a read of the balances shows enough: the provider has less than the ledger says.
 */
const KNOWN_CURRENCIES = `(select coalesce(array_agg(currency), '{}') from balance_chains
  where account = $1 and money_for_run($1, currency, null) is not null)`;
const WAS_REFUSED = `exists (select from provider_requests refused where refused.payment_id = payments.payment_id
  and refused.attempt = payments.attempt and refused.operation = 'fund' and refused.outcome = 'refused')`;
const WAITS_FOR_BALANCE = `(payments.sell_currency <> all (known.currencies) or ${WAS_REFUSED})`;

/**
 * How many payments wait for money, and for how many of them a read balance decides; and how old the webhooks about money are,
 * by the database's clock.
 */
export async function readFundingEvents(
  database: Queryable,
  account: string,
  sinceLastReadMs: number,
): Promise<AccountFunding> {
  const { rows } = await database.query<{
    waiting: number;
    by_balance: number;
    first_ms: number | null;
    last_ms: number | null;
  }>(
    `with known as materialized (select ${KNOWN_CURRENCIES} as currencies),
     waiting as (
       select count(*)::int as waiting, (count(*) filter (where ${WAITS_FOR_BALANCE}))::int as by_balance
       from payments, known where account = $1 and state = 'awaiting_funds'
     )
     select waiting, by_balance,
       (extract(epoch from clock_timestamp() - min(last_received_at)) * 1000)::float8 as first_ms,
       (extract(epoch from clock_timestamp() - max(last_received_at)) * 1000)::float8 as last_ms
     from waiting left join webhook_inbox on account = $1 and kind in (${sqlList(MONEY_WEBHOOK_KINDS)})
       and last_received_at > clock_timestamp() - make_interval(secs => $2)
     group by waiting, by_balance`,
    [account, sinceLastReadMs / 1_000],
  );
  const row = rows[0];
  return {
    waitingInAll: row?.waiting ?? 0,
    waiting: row?.by_balance ?? 0,
    sinceFirstEventMs: row?.first_ms ?? null,
    sinceLastEventMs: row?.last_ms ?? null,
  };
}

/** What says that payments can be funded: a read of the balances, or the ledger after a read of the history. */
export type FundsSource = 'balances' | 'ledger';

/**
 * Payments that the money in their currency is enough for, in the order in which they are to be paid: the first `limit` of
 * each currency, so that no currency blocks another. Each is decided by one source: those that wait for a balance by the last
 * read of it, the others by the ledger.
 */
export async function listAwaitingFunds(
  database: Queryable,
  account: string,
  by: FundsSource,
  limit: number,
): Promise<WaitingForFunds[]> {
  const { rows } = await database.query<WaitingForFunds>(
    `with known as materialized (select ${KNOWN_CURRENCIES} as currencies),
     payable as (
       select payment_id as "paymentId", payments.sell_currency as currency, total::text, balance::text, reserved,
         row_number() over (partition by payments.sell_currency order by runs.started_at, payments.run_id, row_number) as place
       from known, payments join runs using (run_id) cross join lateral (${by === 'balances' ? BY_BALANCE : BY_LEDGER}) as money
       where payments.account = $1 and payments.state = 'awaiting_funds' and money.is_enough
         and ${by === 'balances' ? '' : 'not '}${WAITS_FOR_BALANCE}
         and not is_stopped(payments.account, payments.run_id)
     )
     select "paymentId", currency, total, balance, reserved from payable where place <= $2 order by place`,
    [account, limit],
  );
  return rows;
}

const BY_BALANCE = `select ${TOTAL} as total, balances.amount as balance, null::jsonb as reserved, ${TOTAL} <= balances.amount as is_enough
  from balance_snapshots balances where balances.account = payments.account and balances.currency = payments.sell_currency
    and balances.read_at = ${lastRead('$1')}
    -- Of what was refused once, the ledger decides as well, if it does.
    and money_covers(payments.payment_id) is not false`;

/** SQL: what a ledger account holds in the payment's currency. */
const held = (ledgerAccount: string): string => `coalesce((select amount from ledger_balances
  where ledger_balances.account = payments.account and ledger_balances.currency = payments.sell_currency
    and ledger_account = ${ledgerAccount}), 0)`;

const BY_LEDGER = `select *, total <= balance + (reserved ->> 'amount')::numeric as is_enough
  from (select ${TOTAL} - ${held("'payment/' || payments.payment_id || '-' || payments.attempt")} as total,
    greatest(${held("'free'")}, 0) as balance,
    jsonb_build_object('runId', payments.run_id, 'amount', ${held("'run/' || payments.run_id")}::text) as reserved) as sums`;

/** Notes that a read shows enough for these payments: each may be funded once for that read. */
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
