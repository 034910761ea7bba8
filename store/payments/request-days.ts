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

/** As the rate limiter has measured the latest answers to each lease of the account. */
async function readRoundTrip(database: Queryable, account: string): Promise<number | null> {
  const { rows } = await database.query<{ ms: number | null }>(
    'select round(avg(round_trip_ms))::int as ms from request_leases where account = $1',
    [account],
  );
  return rows[0]?.ms ?? null;
}

export async function readSendingState(database: Queryable, account: string): Promise<SendingState> {
  return { ...(await readDayUse(database, account)), roundTripMs: await readRoundTrip(database, account) };
}
