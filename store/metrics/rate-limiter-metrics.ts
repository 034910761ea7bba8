import type { Queryable } from '../database/database.ts';

/** The rate limiter of an account, of all its workers together. */
export interface RateLimiterMetrics {
  account: string;
  leasesInUse: number;
  /** What is left of a pause; 0: there is none. */
  pausedSeconds: number;
  /** Requests of this UTC day. */
  dayRequests: number;
}

/** For the role of a worker. Only of accounts that have sent something. */
export async function readRateLimiterMetrics(database: Queryable): Promise<RateLimiterMetrics[]> {
  const { rows } = await database.query<RateLimiterMetrics>(
    `select account,
       (select count(*) from request_leases where request_leases.account = limiters.account and holder is not null)::int as "leasesInUse",
       greatest(0, least(extract(epoch from paused_until - clock_timestamp()), paused_for_ms / 1000.0))::float8 as "pausedSeconds",
       coalesce((select requests from request_days
         where request_days.account = limiters.account and day = (clock_timestamp() at time zone 'utc')::date), 0) as "dayRequests"
     from rate_limiters limiters`,
  );
  return rows;
}
