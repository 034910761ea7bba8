import type { Queryable } from '../database/database.ts';

export interface RateLimiterRecord {
  account: string;
  requestsToday: number;
  dayEndsInSeconds: number;
  leases: { number: number; holder: string | null }[];
  pausedUntil: Date | null;
  pausedForSeconds: number;
  pauseLeftSeconds: number;
}

/** The rate limiters of all accounts that have sent something. */
export async function readRateLimiters(database: Queryable): Promise<RateLimiterRecord[]> {
  const { rows } = await database.query<RateLimiterRecord>(
    `with clock as materialized (select clock_timestamp() as now, clock_timestamp() at time zone 'utc' as utc)
     select account, nullif(paused_until, 'epoch') as "pausedUntil", paused_for_ms / 1000.0 as "pausedForSeconds",
       greatest(0, least(extract(epoch from paused_until - now), paused_for_ms / 1000.0))::float8 as "pauseLeftSeconds",
       coalesce((select requests from request_days days where days.account = limiters.account and day = utc::date), 0) as "requestsToday",
       extract(epoch from date_trunc('day', utc) + interval '1 day' - utc)::float8 as "dayEndsInSeconds",
       (select coalesce(jsonb_agg(jsonb_build_object('number', number, 'holder', holder) order by number), '[]')
        from request_leases leases where leases.account = limiters.account) as leases
     from rate_limiters limiters, clock order by account`,
  );
  return rows;
}

export async function countLeaseHolders(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ count: number }>('select count(*)::int as count from lease_holders');
  return rows[0]?.count ?? 0;
}
