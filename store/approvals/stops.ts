import type { RefusalStreak } from '../../domain/payments/refusal-streak.ts';
import { callAsUser } from '../database/call-as-user.ts';
import type { Database, Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';
import { STARTED_RUN_STATES } from '../../domain/runs/run-state.ts';
import type { TokenHash } from '../users/token-hash.ts';

/** A stop in force. */
export interface StopRecord {
  stopId: string;
  scope: 'run' | 'account' | 'all';
  runId: string | null;
  account: string | null;
  /** Null: made by payrun, for `refusals` or at its start. */
  stoppedBy: { userId: string; name: string } | null;
  /** Rows in a row that were refused with this answer, for which payrun made it. */
  refusals: RefusalStreak | null;
  stoppedAt: Date;
  reason: string | null;
  liftRequestedBy: { userId: string; name: string } | null;
  liftRequestedAt: Date | null;
  cancelledAt: Date | null;
}

interface StopRow extends Omit<StopRecord, 'stoppedBy' | 'liftRequestedBy'> {
  stopperId: string | null;
  stopperName: string | null;
  requesterId: string | null;
  requesterName: string | null;
}

/** Which stops are listed. */
export interface StopFilter {
  /** Only those that apply to this run; null: to any. */
  runId: string | null;
  /** Only those of these accounts, of their runs, and of everything; null: of all accounts. */
  accounts: readonly string[] | null;
}

/** SQL: a stop that was not lifted, unless its run has ended, which leaves nothing to stop. */
export const STOP_IN_FORCE = `lifted_at is null and not exists (
    select from runs ended where ended.run_id = stops.run_id and ended.finished_at is not null)`;

/** Stops in force. */
export async function listStops(database: Queryable, { runId, accounts }: StopFilter): Promise<StopRecord[]> {
  const { rows } = await database.query<StopRow>(
    `select stop_id as "stopId", scope, stops.run_id as "runId", stops.account, stopped_at as "stoppedAt",
       remarks.body as reason, stops.refusals, stopped_by as "stopperId", stopper.name as "stopperName",
       lift_asked_by as "requesterId", requester.name as "requesterName", lift_asked_at as "liftRequestedAt",
       cancelled_at as "cancelledAt"
     from stops
     left join users stopper on stopper.user_id = stopped_by
     left join users requester on requester.user_id = lift_asked_by
     left join remarks using (remark_id)
     where ${STOP_IN_FORCE} and ($1::uuid is null or stops.run_id = $1 or stops.scope = 'all'
       or stops.account = (select account from runs where runs.run_id = $1))
       -- guard: stops-of-own-accounts
       and ($2::text[] is null or stops.scope = 'all'
         or coalesce(stops.account, (select account from runs where runs.run_id = stops.run_id)) = any($2))
     order by stopped_at`,
    [runId, accounts],
  );
  return rows.map(({ stopperId, stopperName, requesterId, requesterName, ...stop }) => ({
    ...stop,
    stoppedBy: stopperId === null ? null : { userId: stopperId, name: stopperName ?? '' },
    liftRequestedBy: requesterId === null ? null : { userId: requesterId, name: requesterName ?? '' },
  }));
}

/** Rows of a run by how far they are sent. */
export async function countStopped(database: Queryable, runId: string): Promise<StopCounts> {
  const { rows } = await database.query<{ counts: StopCounts }>('select stop_counts($1) as counts', [runId]);
  return rows[0]?.counts ?? { sent: 0, created: 0, notSent: 0, underWay: 0 };
}

/** To check just before a request is sent. */
export async function isStopped(database: Queryable, account: string, runId: string | null): Promise<boolean> {
  const { rows } = await database.query<{ stopped: boolean }>({
    name: 'is-stopped',
    text: 'select is_stopped($1, $2) as stopped',
    values: [account, runId],
  });
  return rows[0]?.stopped !== false;
}

/** Ends the rows of a cancelled run that were not sent. Returns how many. */
export async function cancelUnsent(database: Queryable, runId: string): Promise<number> {
  const { rows } = await database.query<{ cancelled: number }>('select cancel_unsent($1) as cancelled', [runId]);
  return rows[0]?.cancelled ?? 0;
}

/** Started runs that have not ended, stopped ones included. */
export async function listPayingRuns(database: Queryable, account: string | null): Promise<string[]> {
  const { rows } = await database.query<{ run_id: string }>(
    `select run_id from runs where state in (${sqlList(STARTED_RUN_STATES)}) and ($1::text is null or account = $1)`,
    [account],
  );
  return rows.map((row) => row.run_id);
}

/** What a stop applies to. */
export type StopScope = { scope: 'run'; runId: string } | { scope: 'account'; account: string } | { scope: 'all' };

/** Rows of a stopped run: sent, created with the provider and unfunded, not sent, and with a request under way. */
export interface StopCounts {
  sent: number;
  created: number;
  notSent: number;
  underWay: number;
}

export function stopPaymentsAs(
  database: Database,
  tokenHash: TokenHash,
  of: StopScope,
  reason: string | null,
): Promise<{ stopId: string }> {
  const run = of.scope === 'run' ? of.runId : null;
  const account = of.scope === 'account' ? of.account : null;
  return callAsUser(database, 'stop_payments($1, $2, $3, $4, $5)', [tokenHash.bytes, of.scope, run, account, reason]);
}

/** `lift_requested`: a second person must confirm that it is lifted. `askedBy`: who had asked for it, as the user saw it. */
export async function liftStopAs(
  database: Database,
  tokenHash: TokenHash,
  { stopId, askedBy }: { stopId: string; askedBy: string | null },
): Promise<{ stopId: string; state: 'lift_requested' | 'lifted' }> {
  const { state } = await callAsUser<{ state: 'asked' | 'lifted' }>(database, 'lift_stop($1, $2, $3)', [
    tokenHash.bytes,
    stopId,
    askedBy,
  ]);
  return { stopId, state: state === 'lifted' ? 'lifted' : 'lift_requested' };
}

export function cancelRunAs(
  database: Database,
  tokenHash: TokenHash,
  runId: string,
  reason: string | null,
): Promise<{ cancelled: number; counts: StopCounts }> {
  return callAsUser(database, 'cancel_run($1, $2, $3)', [tokenHash.bytes, runId, reason]);
}
