import type { SeenFunds } from '../../domain/runs/funds-schedule.ts';
import type { WaitingForFunds } from '../../domain/payments/payable-from.ts';
import { UNFUNDED_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import type { Queryable } from '../database/database.ts';

/** What a payment takes from the balance, as far as it is known. */
const TOTAL = 'coalesce(total_amount, sell_amount, 0)';

/** When the balances of an account were last read; null: never. */
const lastRead = (account: string): string => `(select max(read_at) from balance_snapshots where account = ${account})`;

/** How many payments wait for money, and when webhooks spoke of some. Ages by the database's clock. */
export async function readFundsNews(database: Queryable, account: string, sinceLastReadMs: number): Promise<SeenFunds> {
  const { rows } = await database.query<{ waiting: number; first_ms: number | null; last_ms: number | null }>(
    `select (select count(*)::int from payments where account = $1 and state = 'awaiting_funds') as waiting,
       (extract(epoch from clock_timestamp() - min(last_received_at)) * 1000)::float8 as first_ms,
       (extract(epoch from clock_timestamp() - max(last_received_at)) * 1000)::float8 as last_ms
     from webhook_inbox where account = $1 and kind in ('funding', 'deposit', 'conversion', 'refund')
       and last_received_at > clock_timestamp() - make_interval(secs => $2)`,
    [account, sinceLastReadMs / 1_000],
  );
  const row = rows[0];
  return { waiting: row?.waiting ?? 0, firstNewsMs: row?.first_ms ?? null, lastNewsMs: row?.last_ms ?? null };
}

/**
 * Those that the balance in their currency is enough for, as the last read showed it, in the order in which they are to be
 * paid: the first ones of each currency, so that none is in the way of another.
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

/** Until when the provider lets an unfunded payment be funded, as it shows it now. */
export async function noteCutOff(database: Queryable, paymentId: string, cutOff: Date): Promise<void> {
  await database.query(
    `update payments set funding_cutoff_at = $2 where payment_id = $1 and state = any($3)
       and funding_cutoff_at is distinct from $2`,
    [paymentId, cutOff, UNFUNDED_PAYMENT_STATES],
  );
}

/** That a balance was read which is enough for these: each may be funded once on the strength of it. */
export async function noteFundsSeen(database: Queryable, paymentIds: readonly string[]): Promise<void> {
  await database.query(
    `update payments set funds_seen_at = clock_timestamp() where payment_id = any($1::uuid[]) and state = 'awaiting_funds'`,
    [paymentIds],
  );
}

/** Runs of the account with rows to be sent that were not begun. */
export async function listRunsToBegin(database: Queryable, account: string): Promise<string[]> {
  const { rows } = await database.query<{ run_id: string }>(
    `select run_id from runs where account = $1 and started_at is not null and finished_at is null
       and exists (select from payments where payments.run_id = runs.run_id and state = 'ready' and workflow_begun_at is null)`,
    [account],
  );
  return rows.map((row) => row.run_id);
}

/** Until when a payment may wait for money: so many milliseconds, or the provider's own end if that is sooner. */
export const waitsUntil = (parameter: string): string =>
  `least(funding_cutoff_at, coalesce(awaiting_since, changed_at) + make_interval(secs => ${parameter}))`;

/** When a stop was last lifted that had held the run of a payment; null: none. */
const LIFTED_AT = `(select max(lifted_at) from stops where scope = 'all' or stops.account = payments.account
    or stops.run_id = payments.run_id)`;

/** As the last read of the balances showed it. A currency that it did not show has none. */
const IS_COVERED = `exists (select from balance_snapshots balances where balances.account = payments.account
    and balances.currency = payments.sell_currency and balances.amount >= ${TOTAL}
    and balances.read_at = ${lastRead('payments.account')})`;

/** A read shows it, after the last stop that kept the payment from the money. */
const NO_MONEY_CAME = `not ${IS_COVERED}
    and coalesce(${LIFTED_AT} < coalesce(${lastRead('payments.account')}, 'epoch'), true)`;

/**
 * Payments that no money came for in time become `unknown`, once a read after that time has shown them unfunded, or at
 * twice the time where none could: they could still be funded at the provider, so they are never `failed`. Rows of the same
 * run and currency that were due when they began to wait, and were not begun for want of that money, are held with the last
 * of them: the provider has nothing of those. `today` is YYYY-MM-DD.
 */
export async function endUnfunded(
  database: Queryable,
  account: string,
  { ageLimitMs, today }: { ageLimitMs: number; today: string },
): Promise<void> {
  await database.query(
    `with ended as (
       update payments set state = 'unknown', notification_pending = true, ended_at = clock_timestamp(), changed_at = clock_timestamp(),
         error_code = 'not_funded_in_time',
         error_message = 'no money came for it in time; the provider has this payment unfunded and it could still be funded '
           || 'there: have it cancelled there, then resolve it'
       where account = $1 and state = 'awaiting_funds' and ${waitsUntil('$2')} < clock_timestamp()
         and (swept_at > ${waitsUntil('$2')} or ${waitsUntil('$2')} + make_interval(secs => $2) < clock_timestamp())
         and not is_stopped(payments.account, payments.run_id)
         and (funding_cutoff_at < clock_timestamp() or ${NO_MONEY_CAME}
           or greatest(${waitsUntil('$2')}, ${LIFTED_AT}) + make_interval(secs => $2) < clock_timestamp())
         and not exists (select from provider_requests requests
           where requests.payment_id = payments.payment_id and exclusive and outcome is null)
       returning run_id, payment_id, sell_currency, coalesce(awaiting_since, changed_at) as since
     ), held as (
       update payments set state = 'held', changed_at = clock_timestamp(), error_code = 'no_money_in_time',
         error_message = 'no money came in its currency in time; the provider has nothing of this payment'
       from (
         select run_id, sell_currency, max(since) as since from ended where not exists (
           select from payments waiting where waiting.run_id = ended.run_id and waiting.sell_currency = ended.sell_currency
             and waiting.state = 'awaiting_funds' and waiting.payment_id not in (select payment_id from ended))
         group by run_id, sell_currency
       ) as short
       where payments.run_id = short.run_id and payments.sell_currency = short.sell_currency
         and payments.state = 'ready' and workflow_begun_at is null
         and coalesce(instruction ->> 'payOn', '') <= least($3, to_char(short.since at time zone 'UTC', 'YYYY-MM-DD'))
       returning payments.run_id, payments.payment_id
     )
     insert into audit_entries (actor, kind, run_id, payment_id, detail)
     select 'worker', 'given_up', run_id, payment_id, '{"state": "unknown", "why": "not_funded_in_time"}'::jsonb from ended
     union all
     select 'worker', 'held', run_id, payment_id, '{"state": "held", "why": "no_money_in_time"}' from held`,
    [account, ageLimitMs / 1_000, today],
  );
}
