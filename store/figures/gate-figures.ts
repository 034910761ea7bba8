import type { Queryable } from '../database/database.ts';

/** The request gate of an account, of all its workers together. */
export interface GateFigures {
  account: string;
  slotsInUse: number;
  /** What is left of a pause; 0: there is none. */
  pausedSeconds: number;
  /** Requests of this UTC day. */
  dayRequests: number;
}

/** For the role of a worker. Only of accounts that have sent something. */
export async function readGateFigures(database: Queryable): Promise<GateFigures[]> {
  const { rows } = await database.query<GateFigures>(
    `select account,
       (select count(*) from request_slots where request_slots.account = gates.account and holder is not null)::int as "slotsInUse",
       greatest(0, least(extract(epoch from paused_until - clock_timestamp()), paused_for_ms / 1000.0))::float8 as "pausedSeconds",
       coalesce((select requests from request_days
         where request_days.account = gates.account and day = (clock_timestamp() at time zone 'utc')::date), 0) as "dayRequests"
     from request_gates gates`,
  );
  return rows;
}
