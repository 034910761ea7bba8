import {
  ENDED_PAYMENT_STATES,
  hasEnded,
  IN_FLIGHT_PAYMENT_STATES,
  PAYMENT_MOVES,
  type PaymentState,
} from '../../domain/payments/payment-state.ts';
import { FOUND_MORE_THAN_ONCE } from '../../domain/payments/resolution.ts';
import { waitsUntil } from './awaiting-funds.ts';
import type { Queryable } from '../database/database.ts';

/** What the sweep has to look after. Ages are in milliseconds by the database's clock. */
export interface InFlightSummary {
  /** Funded and not known to be over. */
  inFlight: number;
  /** Of these, the ones that a webhook spoke of since they were last read. */
  hinted: number;
  /** Since the most recent and the least recent of them was funded. */
  youngestMs: number | null;
  oldestMs: number | null;
  /** Whether payments of approved runs are still to be funded. */
  sending: boolean;
  /** Runs of this account that have not ended. */
  activeRuns: number;
  /** Payments that have ended and whose workflows have yet to be told. */
  notificationsPending: number;
  /** Given up as unknown, with a payment at the provider that may yet show how it ended. */
  unknown: number;
  /** Waiting for money, and worth a read: a webhook spoke of it, or its time is over. */
  unfundedToRead: number;
}

/** What is unknown for longer is no longer looked at. */
const UNKNOWN_FOR = `interval '30 days'`;

/** One that waits for money is read when a webhook spoke of it, and once its time is over. */
const unfundedToRead = (ageLimit: string): string =>
  `state = 'awaiting_funds' and (hinted_at > greatest(swept_at, tried_at, 'epoch')
     or ${waitsUntil(ageLimit)} between coalesce(swept_at, 'epoch') and clock_timestamp())`;

export async function summarizeInFlight(
  database: Queryable,
  account: string,
  { fundsAgeLimitMs }: { fundsAgeLimitMs: number },
): Promise<InFlightSummary> {
  const { rows } = await database.query<{
    in_flight: number;
    hinted: number;
    youngest_ms: number | null;
    oldest_ms: number | null;
    sending: boolean;
    active_runs: number;
    pending: number;
    unknown: number;
    unfunded_to_read: number;
  }>(
    `with active as (
       select run_id from runs where account = $1 and finished_at is null and state in ('running', 'awaiting_funds', 'paused')
     )
     select count(*)::int as in_flight,
       count(*) filter (where hinted_at > coalesce(swept_at, 'epoch'))::int as hinted,
       (extract(epoch from clock_timestamp() - max(funded_at)) * 1000)::float8 as youngest_ms,
       (extract(epoch from clock_timestamp() - min(funded_at)) * 1000)::float8 as oldest_ms,
       exists (select from payments join active using (run_id) where state in ('ready', 'quoted', 'created')) as sending,
       (select count(*)::int from active) as active_runs,
       (select count(*)::int from payments where account = $1 and notification_pending) as pending,
       (select count(*)::int from payments where account = $1 and state = 'unknown' and provider_payment_id is not null
         and ended_at > clock_timestamp() - ${UNKNOWN_FOR}) as unknown,
       (select count(*)::int from payments where account = $1 and ${unfundedToRead('$2')}) as unfunded_to_read
     from payments where account = $1 and state in ('funded', 'processing')`,
    [account, fundsAgeLimitMs / 1_000],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate gave no row');
  return {
    inFlight: row.in_flight,
    hinted: row.hinted,
    youngestMs: row.youngest_ms,
    oldestMs: row.oldest_ms,
    sending: row.sending,
    activeRuns: row.active_runs,
    notificationsPending: row.pending,
    unknown: row.unknown,
    unfundedToRead: row.unfunded_to_read,
  };
}

export interface SweepWindow {
  /** Bounds of the provider's own creation times: the first inclusive, the second exclusive. */
  startDate: Date;
  endDate: Date;
  payments: { paymentId: string; providerPaymentId: string }[];
}

/**
 * Payments in flight whose turn it is, and the window that holds them: from the one that a webhook spoke of and no read was
 * to show since, else from the one that no read was to show for the longest time, the next ones by the time of their creation.
 * All of them where they are few. Null when nothing is in flight.
 */
export async function nextSweepWindow(
  database: Queryable,
  account: string,
  limit: number,
): Promise<SweepWindow | null> {
  const { rows } = await database.query<{ payment_id: string; provider_payment_id: string; provider_created_at: Date }>(
    `with in_flight as (
       select payment_id, provider_payment_id, provider_created_at, asked_at, funded_at, created_at,
         coalesce(hinted_at > greatest(swept_at, asked_at, 'epoch'), false) as is_hinted, hinted_at
       from payments where account = $1 and state in ('funded', 'processing')
         and provider_payment_id is not null and provider_created_at is not null
     ), first as (
       select provider_created_at from in_flight
       order by is_hinted desc, case when is_hinted then hinted_at end, coalesce(asked_at, funded_at, created_at), provider_created_at
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
 * How far from the times that the provider shows the times may be that it looks for: it may show them to the second alone, and
 * have them finer than the milliseconds kept here.
 */
function marginAround(shownMs: readonly number[]): number {
  return shownMs.every((timeMs) => timeMs % 1_000 === 0) ? 1_000 : 2;
}

/** That a read was to show these payments. */
export async function noteAsked(database: Queryable, paymentIds: readonly string[], readAt: string): Promise<void> {
  await database.query(
    `update payments set asked_at = greatest(asked_at, $2::timestamptz) where payment_id = any($1::uuid[])`,
    [paymentIds, readAt],
  );
}

/** What was not created at a known time is read singly once in so long. */
const WITHOUT_TIME_EVERY = `interval '10 minutes'`;

/** An unknown one is looked at again after a quarter of the time that it is unknown. */
const UNKNOWN_AGAIN = `greatest(interval '10 minutes', least(interval '1 day', (clock_timestamp() - ended_at) / 4))`;

/**
 * Payments to be read one by one: those that an answer was to show and did not, those that no window can hold, those past
 * their age limit, which are given up by such a read alone, those that wait for money, and unknown ones. First those that a webhook spoke of, then those
 * that were not read for the longest time: one that cannot be read has had its turn as well.
 */
export async function listToReadSingly(
  database: Queryable,
  account: string,
  { ageLimitMs, fundsAgeLimitMs, limit }: { ageLimitMs: number; fundsAgeLimitMs: number; limit: number },
): Promise<string[]> {
  const { rows } = await database.query<{ payment_id: string }>(
    `with chosen as (
       select payment_id, row_number() over (
         order by coalesce(hinted_at > greatest(swept_at, tried_at, 'epoch'), false) desc,
           greatest(swept_at, tried_at) nulls first, payment_id) as place
       from payments where account = $1 and provider_payment_id is not null and (
         state in ('funded', 'processing') and (
           coalesce(swept_at, 'epoch') < asked_at
           or provider_created_at is null and (hinted_at > coalesce(swept_at, 'epoch')
             or coalesce(swept_at, 'epoch') < clock_timestamp() - ${WITHOUT_TIME_EVERY})
           or coalesce(funded_at, created_at) + make_interval(secs => $2)
             between coalesce(swept_at, 'epoch') and clock_timestamp())
         or ${unfundedToRead('$5')}
         or state = 'unknown' and error_code is distinct from $4 and (
           hinted_at > greatest(swept_at, tried_at, 'epoch')
           or greatest(swept_at, tried_at, ended_at) < clock_timestamp() - ${UNKNOWN_AGAIN}))
       order by place limit $3
     ), tried as (
       update payments set tried_at = clock_timestamp() from chosen where payments.payment_id = chosen.payment_id
     )
     select payment_id from chosen order by place`,
    [account, ageLimitMs / 1_000, limit, FOUND_MORE_THAN_ONCE, fundsAgeLimitMs / 1_000],
  );
  return rows.map((row) => row.payment_id);
}

/** One payment as the provider told it. */
export interface Sighting {
  providerPaymentId: string;
  providerStatus: string;
  /** The state that the status means; null for a status that is not known: it is kept, and moves nothing. */
  state: PaymentState | null;
  errorCode: string | null;
  errorMessage: string | null;
}

/**
 * Moves that a observation makes. A payment that was given up as unknown is moved by its end alone: still under way after
 * so long, it would only be given up again.
 */
const OBSERVED_TRANSITIONS = Object.entries(PAYMENT_MOVES).flatMap(([from, to]) =>
  to.filter((target) => from !== 'unknown' || hasEnded(target)).map((target) => `${from}>${target}`),
);

/**
 * Writes what a read that began at `readAt` (`beginReading`) showed. States only move forward: a observation that is older
 * than what is known changes nothing, and a hint that came after the read began is still one to follow.
 * What has ended has a notification pending until its workflow was told. Of a reference that several payments share, one sight
 * says too little.
 */
export async function applyProviderStatuses(
  database: Queryable,
  account: string,
  readAt: string,
  observations: readonly Sighting[],
): Promise<number> {
  const { rows } = await database.query<{ moved: number }>(
    `with seen as (
       select * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
         as seen (provider_payment_id, provider_status, state, error_code, error_message)
     ), judged as (
       -- A status that is not known has no state, and moves nothing.
       select payments.payment_id, seen.*, coalesce(payments.state || '>' || seen.state = any($7), false) as moves
       from seen join payments on payments.account = $1 and payments.provider_payment_id = seen.provider_payment_id
       where payments.state = any($9) and payments.error_code is distinct from $10
       for update of payments
     ), noted as (
       update payments set
         provider_status = case when moves or coalesce(swept_at <= $11::timestamptz, true)
           then judged.provider_status else payments.provider_status end,
         swept_at = greatest(swept_at, $11::timestamptz),
         state = case when moves then judged.state else payments.state end,
         error_code = case when moves then judged.error_code else payments.error_code end,
         error_message = case when moves then judged.error_message else payments.error_message end,
         ended_at = case when moves and judged.state = any($8) then clock_timestamp() else ended_at end,
         notification_pending = notification_pending or moves and judged.state = any($8),
         changed_at = case when moves then clock_timestamp() else changed_at end
       from judged where payments.payment_id = judged.payment_id
       returning payments.run_id, payments.payment_id, payments.state, judged.provider_status,
         moves and judged.state = any($8) as has_ended
     ), audited as (
       insert into audit_entries (actor, kind, run_id, payment_id, detail)
       select 'worker', 'settled', run_id, payment_id, jsonb_build_object('state', state, 'providerStatus', provider_status)
       from noted where has_ended
     )
     select count(*) filter (where has_ended)::int as moved from noted`,
    [
      account,
      observations.map((observation) => observation.providerPaymentId),
      observations.map((observation) => observation.providerStatus),
      observations.map((observation) => observation.state),
      observations.map((observation) => observation.errorCode),
      observations.map((observation) => observation.errorMessage),
      OBSERVED_TRANSITIONS,
      ENDED_PAYMENT_STATES,
      [...IN_FLIGHT_PAYMENT_STATES, 'unknown'],
      FOUND_MORE_THAN_ONCE,
      readAt,
    ],
  );
  return rows[0]?.moved ?? 0;
}

/**
 * Payments in flight for longer than the age limit become `unknown`: a person's matter from then on, once a read after that
 * time has shown that they are not over. One that cannot be read is given up after twice the time.
 */
export async function giveUpOnOld(database: Queryable, account: string, ageLimitMs: number): Promise<number> {
  const { rowCount } = await database.query(
    `with given_up as (
       update payments set state = 'unknown', notification_pending = true, ended_at = clock_timestamp(), changed_at = clock_timestamp(),
         error_code = 'not_confirmed', error_message = 'the provider has not said in time what became of this payment'
       where account = $1 and state in ('funded', 'processing')
         and coalesce(funded_at, created_at) + make_interval(secs => $2) < clock_timestamp()
         and (swept_at > coalesce(funded_at, created_at) + make_interval(secs => $2)
           or coalesce(funded_at, created_at) + 2 * make_interval(secs => $2) < clock_timestamp())
       returning run_id, payment_id
     )
     insert into audit_entries (actor, kind, run_id, payment_id, detail)
     select 'worker', 'not_confirmed_in_time', run_id, payment_id, '{"state": "unknown"}' from given_up`,
    [account, ageLimitMs / 1000],
  );
  return rowCount ?? 0;
}
