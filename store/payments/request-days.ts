import type { DayUse, SendingState } from '../../domain/runs/finishing-time.ts';
import type { Queryable } from '../database/database.ts';

/** Requests of the current UTC day, by the database's clock, which also counts them. */
export async function readDayUse(database: Queryable, account: string): Promise<DayUse> {
  const { rows } = await database.query<DayUse>(
    `with clock as materialized (select clock_timestamp() at time zone 'utc' as utc)
     select coalesce((select requests from request_days where account = $1 and day = utc::date), 0) as requests,
       extract(epoch from date_trunc('day', utc) + interval '1 day' - utc)::float8 as "secondsLeft"
     from clock`,
    [account],
  );
  return rows[0] ?? { requests: 0, secondsLeft: 0 };
}

/** Of so many payments, the last ones that were funded. */
const MEASURED_PAYMENTS = 30;

/**
 * How long the provider took to answer the requests of the latest payments of the account, in milliseconds: the middle one. It has the
 * database's own time in it, as the leases of the rate limiter have. Null: no payment was funded yet.
 */
async function readRoundTrip(database: Queryable, account: string): Promise<number | null> {
  const { rows } = await database.query<{ ms: number | null }>(
    `select round(percentile_cont(0.5) within group (order by extract(epoch from answered_at - begun_at)) * 1000)::int as ms
     from (select payment_id from payments where account = $1 and funded_at is not null
       order by funded_at desc limit ${MEASURED_PAYMENTS}) as latest
     join provider_requests using (payment_id) where answer = 'as_asked' and answered_at >= begun_at`,
    [account],
  );
  return rows[0]?.ms ?? null;
}

export async function readSendingState(database: Queryable, account: string): Promise<SendingState> {
  return { ...(await readDayUse(database, account)), roundTripMs: await readRoundTrip(database, account) };
}
