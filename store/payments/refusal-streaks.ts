import { pausesRun, type RefusalStreak, type RowRefusal, streakAfter } from '../../domain/payments/refusal-streak.ts';
import type { Queryable } from '../database/database.ts';

/**
 * Records that the provider has refused a row for good, and counts it if what was recorded `counts`: so many in a row with the
 * same answer stop the run, in the same transaction. While a stop is active nothing is counted, so that a run whose stop was
 * lifted is stopped again only by as many further refusals.
 *
 * The run and its streak are locked before anything of the row: workers count one after the other, and take their locks in
 * the order of whoever stops or cancels a run.
 */
export async function countRefusal<T>(
  transaction: Queryable,
  { runId, refusal }: { runId: string; refusal: RowRefusal },
  record: () => Promise<T>,
  counts: (recorded: T) => boolean,
): Promise<T> {
  // A lock that leaves rows of the run alone, which refer to it.
  await transaction.query('select from runs where run_id = $1 for no key update', [runId]);
  const before = await lockStreak(transaction, runId);
  const recorded = await record();
  if (!counts(recorded)) return recorded;
  const streak = streakAfter(before.streak, refusal);
  // guard: equal-refusals-stop, stopped-counts-nothing
  const isStopped = before.isStopped || (pausesRun(streak) && (await stopForRefusals(transaction, runId, streak)));
  await saveStreak(transaction, runId, { ...streak, count: isStopped ? 0 : streak.count });
  return recorded;
}

async function lockStreak(
  transaction: Queryable,
  runId: string,
): Promise<{ streak: RefusalStreak | null; isStopped: boolean }> {
  const { rows } = await transaction.query<RefusalStreak>(
    `select step, http_status as "httpStatus", error_code as "errorCode", refusals as count
     from refusal_streaks where run_id = $1 for update`,
    [runId],
  );
  const { rows: stopped } = await transaction.query<{ isStopped: boolean }>(
    'select is_stopped(account, run_id) as "isStopped" from runs where run_id = $1',
    [runId],
  );
  return { streak: rows[0] ?? null, isStopped: stopped[0]?.isStopped === true };
}

async function stopForRefusals(transaction: Queryable, runId: string, streak: RefusalStreak): Promise<boolean> {
  const { rows } = await transaction.query<{ stopped: boolean }>('select stop_for_refusals($1, $2) as stopped', [
    runId,
    JSON.stringify(streak),
  ]);
  return rows[0]?.stopped === true;
}

async function saveStreak(transaction: Queryable, runId: string, streak: RefusalStreak): Promise<void> {
  await transaction.query(
    `insert into refusal_streaks (run_id, step, http_status, error_code, refusals) values ($1, $2, $3, $4, $5)
     on conflict (run_id) do update set step = excluded.step, http_status = excluded.http_status,
       error_code = excluded.error_code, refusals = excluded.refusals, changed_at = clock_timestamp()`,
    [runId, streak.step, streak.httpStatus, streak.errorCode, streak.count],
  );
}

/**
 * SQL of a statement that records an outcome: a creation that took effect ends the streak of its run. `answered`: the requests
 * with `payment_id`, `operation` and `outcome`.
 */
export function endsStreak(answered: string): string {
  return `update refusal_streaks streaks set refusals = 0, changed_at = clock_timestamp()
    from ${answered} join payments creating using (payment_id)
    where streaks.run_id = creating.run_id and refusals > 0
      -- guard: equal-refusals-in-a-row
      and ${answered}.operation = 'create' and ${answered}.outcome = 'took_effect'`;
}
