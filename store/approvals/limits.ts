import type { LimitOfRun } from '../../domain/approvals/run-under-policy.ts';
import type { Queryable } from '../database/database.ts';

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
