import type { DayUse } from '../../domain/runs/finishing-time.ts';
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
