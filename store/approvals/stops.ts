import type { StopCounts } from './authority.ts';
import type { Queryable } from '../database/database.ts';

/** A stop that holds. */
export interface StopRecord {
  stopId: string;
  scope: 'run' | 'account' | 'all';
  runId: string | null;
  account: string | null;
  /** Null: at a start of payrun, by whoever started it. */
  stoppedBy: { userId: string; name: string } | null;
  stoppedAt: Date;
  reason: string | null;
  liftAskedBy: { userId: string; name: string } | null;
  cancelledAt: Date | null;
}

interface StopRow extends Omit<StopRecord, 'stoppedBy' | 'liftAskedBy'> {
  stopperId: string | null;
  stopperName: string | null;
  askerId: string | null;
  askerName: string | null;
}

/** Stops that hold: all of them, or those that keep one run from being paid. */
export async function listStops(database: Queryable, runId: string | null): Promise<StopRecord[]> {
  const { rows } = await database.query<StopRow>(
    `select stop_id as "stopId", scope, stops.run_id as "runId", stops.account, stopped_at as "stoppedAt",
       remarks.body as reason, stopped_by as "stopperId", stopper.name as "stopperName",
       lift_asked_by as "askerId", asker.name as "askerName", cancelled_at as "cancelledAt"
     from stops
     left join users stopper on stopper.user_id = stopped_by
     left join users asker on asker.user_id = lift_asked_by
     left join remarks using (remark_id)
     where lifted_at is null and ($1::uuid is null or stops.run_id = $1 or stops.scope = 'all'
       or stops.account = (select account from runs where runs.run_id = $1))
     order by stopped_at`,
    [runId],
  );
  return rows.map(({ stopperId, stopperName, askerId, askerName, ...stop }) => ({
    ...stop,
    stoppedBy: stopperId === null ? null : { userId: stopperId, name: stopperName ?? '' },
    liftAskedBy: askerId === null ? null : { userId: askerId, name: askerName ?? '' },
  }));
}

/** Rows of a run by what a stop means for them. */
export async function countStopped(database: Queryable, runId: string): Promise<StopCounts> {
  const { rows } = await database.query<{ counts: StopCounts }>('select stop_counts($1) as counts', [runId]);
  return rows[0]?.counts ?? { sent: 0, created: 0, notSent: 0, underWay: 0 };
}

/** Asked just before a request leaves. */
export async function isStopped(database: Queryable, account: string, runId: string): Promise<boolean> {
  const { rows } = await database.query<{ stopped: boolean }>({
    name: 'is-stopped',
    text: 'select is_stopped($1, $2) as stopped',
    values: [account, runId],
  });
  return rows[0]?.stopped !== false;
}

/** Ends what can be ended of a run that was cancelled. Answers how many rows that were. */
export async function cancelUnsent(database: Queryable, runId: string): Promise<number> {
  const { rows } = await database.query<{ cancelled: number }>('select cancel_unsent($1) as cancelled', [runId]);
  return rows[0]?.cancelled ?? 0;
}

/** Runs that pay, or would if they were not stopped. */
export async function listPayingRuns(database: Queryable, account: string | null): Promise<string[]> {
  const { rows } = await database.query<{ run_id: string }>(
    `select run_id from runs where state in ('running', 'paused', 'awaiting_funds') and ($1::text is null or account = $1)`,
    [account],
  );
  return rows.map((row) => row.run_id);
}
