import { UNFUNDED_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import type { Queryable } from '../database/database.ts';
import { lastRead, TOTAL } from './awaiting-funds.ts';

/** Records until when the provider accepts a funding of an unfunded payment. */
export async function recordCutOff(database: Queryable, paymentId: string, cutOff: Date): Promise<void> {
  await database.query(
    `update payments set funding_cutoff_at = $2 where payment_id = $1 and state = any($3)
       and funding_cutoff_at is distinct from $2`,
    [paymentId, cutOff, UNFUNDED_PAYMENT_STATES],
  );
}

/** SQL: until when a payment may wait for money: the limit in seconds, or the provider's cut-off if that is sooner. */
export const waitsUntil = (parameter: string): string =>
  `least(funding_cutoff_at, coalesce(awaiting_since, changed_at) + make_interval(secs => ${parameter}))`;

/** SQL: a payment that waits for money is read when a webhook came for it, and once after its deadline. */
export const unfundedToRead = (ageLimit: string): string =>
  `state = 'awaiting_funds' and (webhook_received_at > greatest(polled_at, tried_at, 'epoch')
     or ${waitsUntil(ageLimit)} between coalesce(polled_at, 'epoch') and clock_timestamp())`;

/** When a stop of the payment's run was last lifted; null: never. */
const LIFTED_AT = `(select max(lifted_at) from stops where scope = 'all' or stops.account = payments.account
    or stops.run_id = payments.run_id)`;

/** When the money was last looked for, by whichever decides. */
const LAST_LOOK = `coalesce(case when money_covers(payments.payment_id) is null then ${lastRead('payments.account')}
  else (select max(read_at) from history_ranges where history_ranges.account = payments.account) end, 'epoch')`;

/** By the ledger where it decides, else by the last read of the balances; a currency that it did not show has none. */
const IS_COVERED = `coalesce(money_covers(payments.payment_id), exists (select from balance_snapshots balances
    where balances.account = payments.account and balances.currency = payments.sell_currency and balances.amount >= ${TOTAL}
    and balances.read_at = ${lastRead('payments.account')}))`;

/** By a read after the last stop was lifted: until then the payment could not be funded. */
const NO_MONEY_CAME = `not ${IS_COVERED}
    and coalesce(${LIFTED_AT} < ${LAST_LOOK}, true)`;

/**
 * Payments for which no money came in time become `unknown`, once a read after the deadline has shown them unfunded, or
 * after twice the time if they could not be read. They could still be funded at the provider, so they never become
 * `failed`. When the last of a run and currency is ended, its rows that were due when it began to wait, and have not begun,
 * become `held`: the provider does not have them. `at`: by the worker's clock.
 */
export async function endUnfunded(
  database: Queryable,
  account: string,
  { ageLimitMs, at }: { ageLimitMs: number; at: Date },
): Promise<void> {
  await database.query(
    `with ended as (
       -- guard: unfunded-is-unknown
       update payments set state = 'unknown', notification_pending = true, ended_at = clock_timestamp(), changed_at = clock_timestamp(),
         error_code = 'not_funded_in_time',
         error_message = 'no money came for it in time; the provider has this payment unfunded and it could still be funded '
           || 'there: have it cancelled there, then resolve it'
       where account = $1 and state = 'awaiting_funds' and ${waitsUntil('$2')} < clock_timestamp()
         -- guard: unfunded-by-a-read
         and (polled_at > ${waitsUntil('$2')} or ${waitsUntil('$2')} + make_interval(secs => $2) < clock_timestamp())
         and not is_stopped(payments.account, payments.run_id)
         and (funding_cutoff_at < clock_timestamp() or ${NO_MONEY_CAME}
           or greatest(${waitsUntil('$2')}, ${LIFTED_AT}) + make_interval(secs => $2) < clock_timestamp())
         and not exists (select from provider_requests requests
           -- guard: not-given-up-while-funded
           where requests.payment_id = payments.payment_id and non_idempotent and outcome is null)
       returning run_id, payment_id, sell_currency, coalesce(awaiting_since, changed_at) as since
     ), held as (
       update payments set state = 'held', changed_at = clock_timestamp(), error_code = 'funds_not_received_in_time',
         error_message = 'no money came in its currency in time; the provider does not have this payment'
       from (
         select run_id, sell_currency, max(since) as since from ended where not exists (
           select from payments waiting where waiting.run_id = ended.run_id and waiting.sell_currency = ended.sell_currency
             -- guard: held-with-the-last
             and waiting.state = 'awaiting_funds' and waiting.payment_id not in (select payment_id from ended))
         group by run_id, sell_currency
       ) as short
       -- guard: held-in-its-currency
       where payments.run_id = short.run_id and payments.sell_currency = short.sell_currency
         -- guard: begun-is-not-held
         and payments.state = 'ready' and workflow_begun_at is null
         and coalesce(instruction ->> 'payOn', '') <= (select local_day($1, least($3::timestamptz, short.since)))
       returning payments.run_id, payments.payment_id
     )
     insert into audit_entries (actor, kind, run_id, payment_id, detail)
     select 'worker', 'given_up', run_id, payment_id, '{"state": "unknown", "why": "not_funded_in_time"}'::jsonb from ended
     union all
     select 'worker', 'held', run_id, payment_id, '{"state": "held", "why": "funds_not_received_in_time"}' from held`,
    [account, ageLimitMs / 1_000, at],
  );
}
