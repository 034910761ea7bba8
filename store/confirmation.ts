import {
  ENDED_PAYMENT_STATES,
  IN_FLIGHT_PAYMENT_STATES,
  PAYMENT_MOVES,
  type PaymentState,
} from '../domain/payment-state.ts';
import type { Queryable } from './database.ts';

/** Payments whose funding was refused for want of money, and which wait for some to come in. */
export async function listWaitingForFunds(database: Queryable, account: string, limit: number): Promise<string[]> {
  const { rows } = await database.query<{ payment_id: string }>(
    `select payment_id from payments
     where account = $1 and state = 'created' and exists (
       select from provider_requests where provider_requests.payment_id = payments.payment_id
         and operation = 'fund' and outcome = 'refused')
     order by created_at limit $2`,
    [account, limit],
  );
  return rows.map((row) => row.payment_id);
}

/** What the sweep has to look after. Ages are in milliseconds by the database's clock. */
export interface InFlightSummary {
  /** Funded and not known to be over. */
  inFlight: number;
  /** Of these, the ones that a webhook spoke of since they were last read. */
  hinted: number;
  /** Since the most recent and the least recent of them was funded. */
  youngestMs: number | null;
  oldestMs: number | null;
  /** Payments of approved runs that are still to be funded. */
  toBeFunded: number;
  /** Runs of this account that have not ended. */
  activeRuns: number;
  /** Payments that have ended and whose workflows have yet to be told. */
  untold: number;
}

export async function summarizeInFlight(database: Queryable, account: string): Promise<InFlightSummary> {
  const { rows } = await database.query<{
    in_flight: number;
    hinted: number;
    youngest_ms: number | null;
    oldest_ms: number | null;
    to_be_funded: number;
    active_runs: number;
    untold: number;
  }>(
    `with active as (
       select run_id from runs where account = $1 and finished_at is null and state in ('running', 'awaiting_funds', 'paused')
     )
     select count(*)::int as in_flight,
       count(*) filter (where hinted_at > coalesce(swept_at, 'epoch'))::int as hinted,
       (extract(epoch from clock_timestamp() - max(funded_at)) * 1000)::float8 as youngest_ms,
       (extract(epoch from clock_timestamp() - min(funded_at)) * 1000)::float8 as oldest_ms,
       (select count(*)::int from payments join active using (run_id) where state in ('ready', 'quoted', 'created')) as to_be_funded,
       (select count(*)::int from active) as active_runs,
       (select count(*)::int from payments where account = $1 and untold) as untold
     from payments where account = $1 and state in ('funded', 'processing')`,
    [account],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate gave no row');
  return {
    inFlight: row.in_flight,
    hinted: row.hinted,
    youngestMs: row.youngest_ms,
    oldestMs: row.oldest_ms,
    toBeFunded: row.to_be_funded,
    activeRuns: row.active_runs,
    untold: row.untold,
  };
}

export interface SweepWindow {
  /** Bounds of the provider's own creation times: the first inclusive, the second exclusive. */
  startDate: Date;
  endDate: Date;
  payments: { paymentId: string; providerPaymentId: string }[];
}

/** The oldest payments in flight and the window that holds them; null when nothing is in flight. */
export async function nextSweepWindow(
  database: Queryable,
  account: string,
  limit: number,
): Promise<SweepWindow | null> {
  const { rows } = await database.query<{ payment_id: string; provider_payment_id: string; provider_created_at: Date }>(
    `select payment_id, provider_payment_id, provider_created_at from payments
     where account = $1 and state in ('funded', 'processing')
       and provider_payment_id is not null and provider_created_at is not null
     order by provider_created_at limit $2`,
    [account, limit],
  );
  const first = rows[0];
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return null;
  return {
    // The provider's times may be finer than the milliseconds kept here.
    startDate: new Date(first.provider_created_at.getTime() - 1),
    endDate: new Date(last.provider_created_at.getTime() + 2),
    payments: rows.map((row) => ({ paymentId: row.payment_id, providerPaymentId: row.provider_payment_id })),
  };
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

const MOVES = Object.entries(PAYMENT_MOVES).flatMap(([from, to]) => to.map((target) => `${from}>${target}`));

/**
 * Writes what a read showed. States only move forward: a sighting that is older than what is known changes nothing.
 * What has ended is marked untold, until its workflow was told.
 */
export async function recordSightings(
  database: Queryable,
  account: string,
  sightings: readonly Sighting[],
): Promise<number> {
  const { rows } = await database.query<{ moved: number }>(
    `with seen as (
       select * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
         as seen (provider_payment_id, provider_status, state, error_code, error_message)
     ), noted as (
       update payments set
         provider_status = seen.provider_status,
         swept_at = clock_timestamp(),
         state = case when payments.state || '>' || seen.state = any($7) then seen.state else payments.state end,
         error_code = case when payments.state || '>' || seen.state = any($7) then seen.error_code else payments.error_code end,
         error_message = case when payments.state || '>' || seen.state = any($7) then seen.error_message else payments.error_message end,
         settled_at = case when payments.state || '>' || seen.state = any($7) and seen.state = any($8)
           then clock_timestamp() else payments.settled_at end,
         -- A status that is not known has no state, and makes nothing untold.
         untold = payments.untold or coalesce(payments.state || '>' || seen.state = any($7) and seen.state = any($8), false),
         changed_at = case when payments.state || '>' || seen.state = any($7) then clock_timestamp() else payments.changed_at end
       from seen
       where payments.account = $1 and payments.provider_payment_id = seen.provider_payment_id
         and payments.state = any($9)
       returning payments.run_id, payments.payment_id, payments.state, payments.untold, seen.provider_status
     ), audited as (
       insert into audit_entries (actor, kind, run_id, payment_id, detail)
       select 'worker', 'settled', run_id, payment_id, jsonb_build_object('state', state, 'providerStatus', provider_status)
       from noted where untold
     )
     select count(*) filter (where untold)::int as moved from noted`,
    [
      account,
      sightings.map((sighting) => sighting.providerPaymentId),
      sightings.map((sighting) => sighting.providerStatus),
      sightings.map((sighting) => sighting.state),
      sightings.map((sighting) => sighting.errorCode),
      sightings.map((sighting) => sighting.errorMessage),
      MOVES,
      ENDED_PAYMENT_STATES,
      IN_FLIGHT_PAYMENT_STATES,
    ],
  );
  return rows[0]?.moved ?? 0;
}

/** Payments in flight for longer than the age limit become `unknown`: a person's matter from then on. */
export async function giveUpOnOld(database: Queryable, account: string, ageLimitMs: number): Promise<number> {
  const { rowCount } = await database.query(
    `with given_up as (
       update payments set state = 'unknown', untold = true, settled_at = clock_timestamp(), changed_at = clock_timestamp(),
         error_code = 'not_confirmed', error_message = 'the provider has not said in time what became of this payment'
       where account = $1 and state in ('funded', 'processing')
         and coalesce(funded_at, created_at) < clock_timestamp() - make_interval(secs => $2)
       returning run_id, payment_id
     )
     insert into audit_entries (actor, kind, run_id, payment_id, detail)
     select 'worker', 'not_confirmed_in_time', run_id, payment_id, '{"state": "unknown"}' from given_up`,
    [account, ageLimitMs / 1000],
  );
  return rowCount ?? 0;
}

export interface UntoldPayment {
  paymentId: string;
  runId: string;
  state: PaymentState;
}

export async function listUntold(database: Queryable, account: string, limit: number): Promise<UntoldPayment[]> {
  const { rows } = await database.query<{ payment_id: string; run_id: string; state: PaymentState }>(
    'select payment_id, run_id, state from payments where account = $1 and untold order by settled_at limit $2',
    [account, limit],
  );
  return rows.map((row) => ({ paymentId: row.payment_id, runId: row.run_id, state: row.state }));
}

export async function markTold(database: Queryable, told: readonly UntoldPayment[]): Promise<void> {
  await database.query(
    `update payments set untold = false from unnest($1::uuid[], $2::text[]) as told (payment_id, state)
     where payments.payment_id = told.payment_id and payments.state = told.state`,
    [told.map((payment) => payment.paymentId), told.map((payment) => payment.state)],
  );
}
