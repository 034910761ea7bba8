import type { Queryable } from '../database/database.ts';

/** A limit of the policy, and what a run asks of it. Amounts are decimal strings in `currency`. */
export interface LimitOfRun {
  scope: 'all' | 'maker' | 'beneficiary';
  period: 'day' | 'week';
  currency: string;
  allowed: string;
  /** What is approved in this day or week; null, as `asked`: a currency has no rate. */
  used: string | null;
  asked: string | null;
  /** The first row to the beneficiary that comes closest to its limit. */
  rowRef: string | null;
  /** Currencies without a reference rate. */
  missingRates: string[];
  /** Whether it keeps the run from being approved now. */
  isPassed: boolean;
}

/** By the policy in force, or by the given one. It takes longer the more was approved in the week, and the more rows there are. */
export async function readLimits(database: Queryable, runId: string, proposed: object | null): Promise<LimitOfRun[]> {
  const { rows } = await database.query<LimitOfRun>(
    `select scope, period, policy #>> '{limits,currency}' as currency, allowed::text, round(used, 2)::text as used,
       round(asked, 2)::text as asked, row_ref as "rowRef", missing as "missingRates",
       coalesce(used + asked > allowed, true) as "isPassed"
     from (select coalesce($2::jsonb, current_policy()) as policy) as given,
       limits_of_run($1, policy) order by array_position('{all,maker,beneficiary}'::text[], scope), period`,
    [runId, proposed === null ? null : JSON.stringify(proposed)],
  );
  return rows;
}
