import { IN_FLIGHT_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { FOUND_MORE_THAN_ONCE } from '../../domain/payments/manual-outcome.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';
import { unfundedToRead } from './funding-deadline.ts';

export interface PollRange {
  /** Bounds of the provider's creation times: the first inclusive, the second exclusive. */
  startDate: Date;
  endDate: Date;
  payments: { paymentId: string; providerPaymentId: string }[];
}

/**
 * The payments in flight to read next, and the range of creation times that contains them. It starts at the payment with
 * the oldest webhook since its last read, else at the one whose last read is the longest ago, and continues by creation
 * time. All payments, if they are no more than `limit`. Null when nothing is in flight.
 */
export async function nextPollRange(database: Queryable, account: string, limit: number): Promise<PollRange | null> {
  const { rows } = await database.query<{ payment_id: string; provider_payment_id: string; provider_created_at: Date }>(
    `with in_flight as (
       select payment_id, provider_payment_id, provider_created_at, asked_at, funded_at, created_at,
         coalesce(webhook_received_at > greatest(polled_at, asked_at, 'epoch'), false) as has_webhook, webhook_received_at
       from payments where account = $1 and state in (${sqlList(IN_FLIGHT_PAYMENT_STATES)})
         and provider_payment_id is not null and provider_created_at is not null
     ), first as (
       select provider_created_at from in_flight
       -- guard: payments-take-turns (2 lines)
       order by has_webhook desc, case when has_webhook then webhook_received_at end, coalesce(asked_at, funded_at, created_at), provider_created_at
       limit 1
     )
     select payment_id, provider_payment_id, provider_created_at from in_flight
     where (select count(*) from in_flight) <= $2 or provider_created_at >= (select provider_created_at from first)
     order by provider_created_at, asked_at nulls first limit $2`,
    [account, limit],
  );
  const first = rows[0];
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return null;
  const marginMs = marginAround(rows.map((row) => row.provider_created_at.getTime()));
  return {
    startDate: new Date(first.provider_created_at.getTime() - marginMs),
    endDate: new Date(last.provider_created_at.getTime() + marginMs),
    payments: rows.map((row) => ({ paymentId: row.payment_id, providerPaymentId: row.provider_payment_id })),
  };
}

/**
 * The provider may show creation times in whole seconds and search by the exact ones, which may also be finer than the
 * milliseconds stored here.
 */
function marginAround(shownMs: readonly number[]): number {
  return shownMs.every((timeMs) => timeMs % 1_000 === 0) ? 1_000 : 2;
}

/** Notes that these payments were asked for in a read, whether or not it shows them. */
export async function noteReadAttempt(
  database: Queryable,
  paymentIds: readonly string[],
  readAt: string,
): Promise<void> {
  await database.query(
    `update payments set asked_at = greatest(asked_at, $2::timestamptz) where payment_id = any($1::uuid[])`,
    [paymentIds, readAt],
  );
}

/** Withdraws the note of a read that could not show these payments: the next reads ask for them, before all others. */
export async function askAgain(database: Queryable, paymentIds: readonly string[], readAt: string): Promise<void> {
  await database.query(
    'update payments set asked_at = null where payment_id = any($1::uuid[]) and asked_at = $2::timestamptz',
    [paymentIds, readAt],
  );
}

/** When to read a payment without a known creation time singly again: after half of the time since it was funded, at most. */
const WITHOUT_TIME_EVERY = `least(interval '10 minutes', (clock_timestamp() - coalesce(funded_at, created_at)) / 2)`;

/** When to read an unknown payment again: after a quarter of the time that it has been unknown, within bounds. */
const UNKNOWN_AGAIN = `greatest(interval '10 minutes', least(interval '1 day', (clock_timestamp() - ended_at) / 4))`;

/**
 * Payments to read one by one: those that a read asked for and did not show, those without a creation time, those past
 * their age limit (given up only after such a read), those that wait for money, unknown ones, also those whose creation is
 * looked for, and those that people have called unpaid. Those with a new webhook
 * come first, then those whose last attempt to read them is the longest ago.
 */
export async function listToReadSingly(
  database: Queryable,
  account: string,
  { ageLimitMs, fundsAgeLimitMs, limit }: { ageLimitMs: number; fundsAgeLimitMs: number; limit: number },
): Promise<string[]> {
  const { rows } = await database.query<{ payment_id: string }>(
    `with chosen as (
       select payment_id, row_number() over (
         order by coalesce(webhook_received_at > greatest(polled_at, tried_at, 'epoch'), false) desc,
           greatest(polled_at, tried_at) nulls first, payment_id) as place
       -- guard: unseen-creation-is-read
       from payments where account = $1 and (provider_payment_id is not null or creation_is_looked_for(payments)) and (
         state in (${sqlList(IN_FLIGHT_PAYMENT_STATES)}) and (
           -- guard: left-out-is-read-singly
           coalesce(polled_at, 'epoch') < asked_at
           or provider_created_at is null and (webhook_received_at > coalesce(polled_at, 'epoch')
             or coalesce(polled_at, 'epoch') < clock_timestamp() - ${WITHOUT_TIME_EVERY})
           or coalesce(funded_at, created_at) + make_interval(secs => $2)
             between coalesce(polled_at, 'epoch') and clock_timestamp())
         or ${unfundedToRead('$5')}
         -- guard: resolved-as-unpaid-is-looked-for
         or (state = 'unknown' and error_code is distinct from $4 or is_resolved_as_unpaid(payments)) and (
           webhook_received_at > greatest(polled_at, tried_at, 'epoch')
           or greatest(polled_at, tried_at, ended_at) < clock_timestamp() - ${UNKNOWN_AGAIN}))
       order by place limit $3
     ), tried as (
       update payments set tried_at = clock_timestamp() from chosen where payments.payment_id = chosen.payment_id
     )
     select payment_id from chosen order by place`,
    [account, ageLimitMs / 1_000, limit, FOUND_MORE_THAN_ONCE, fundsAgeLimitMs / 1_000],
  );
  return rows.map((row) => row.payment_id);
}
