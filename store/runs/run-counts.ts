import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { Queryable } from '../database/database.ts';

/**
 * SQL: rows by state of the run in the outer query, from the maintained counts and not from the rows. Null for a run without
 * rows.
 */
export const ROWS_BY_STATE = `(select jsonb_object_agg(counted.state, counted.n) from (
    select state, sum(rows) as n from run_counts where run_counts.run_id = runs.run_id group by state having sum(rows) <> 0
  ) as counted)`;

/** Rows by state, by counting them: for a run's outcome, inside a transaction that holds its lock. */
export async function countRows(transaction: Queryable, runId: string): Promise<Partial<Record<PaymentState, number>>> {
  const { rows } = await transaction.query<{ state: PaymentState; n: number }>(
    'select state, count(*)::int as n from payments where run_id = $1 group by state',
    [runId],
  );
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
}

/** Payments funded, or ended unfunded, in about the last `seconds`, and how many seconds that is exactly. */
export async function readRecentProgress(
  database: Queryable,
  runId: string,
  seconds: number,
): Promise<{ moved: number; seconds: number }> {
  const { rows } = await database.query<{ moved: number; seconds: number }>(
    `select coalesce(sum(progressed), 0)::int as moved, extract(epoch from clock_timestamp() - since)::float8 as seconds
     from (select date_bin('5 seconds', clock_timestamp() - make_interval(secs => $2), timestamptz 'epoch') as since) as span
     left join run_counts on run_id = $1 and span_began_at >= since
     group by since`,
    [runId, seconds],
  );
  return rows[0] ?? { moved: 0, seconds };
}
