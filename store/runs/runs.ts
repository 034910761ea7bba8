import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { RunProposal } from '../../domain/runs/run-proposal.ts';
import { RUN_STATES, type RunState, mayMoveRun } from '../../domain/runs/run-state.ts';
import { type Database, inTransaction, type Queryable } from '../database/database.ts';
import { ROWS_BY_STATE } from './run-counts.ts';

/** The header of the file as it came, for giving rows back in the same form. */
export interface FileHeader {
  names: string[];
  hasByteOrderMark: boolean;
}

export interface RunRecord {
  runId: string;
  account: string;
  fileName: string;
  header: FileHeader;
  rowCount: number;
  state: RunState;
  stateReason: string | null;
  proposal: RunProposal | null;
  submittedBy: { userId: string; name: string };
  submittedAt: Date;
  decidedBy: { userId: string; name: string } | null;
  decisionComment: string | null;
  decidedAt: Date | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  rows: Partial<Record<PaymentState, number>>;
}

interface RunRow {
  run_id: string;
  account: string;
  file_name: string;
  header: FileHeader;
  row_count: number;
  state: RunState;
  state_reason: string | null;
  proposal: RunProposal | null;
  submitted_by: string;
  submitted_by_name: string;
  submitted_at: Date;
  decided_by: string | null;
  decided_by_name: string | null;
  decision_comment: string | null;
  decided_at: Date | null;
  started_at: Date | null;
  finished_at: Date | null;
  rows: Partial<Record<PaymentState, number>> | null;
}

const SELECT_RUNS = `
  select run_id, account, file_name, header, row_count, state, state_reason, proposal, submitted_by,
    maker.name as submitted_by_name, submitted_at, decided_by, checker.name as decided_by_name, decided_at,
    (select body from approvals join remarks using (remark_id) where approvals.run_id = runs.run_id
     order by approvals.decided_at desc limit 1) as decision_comment,
    started_at, finished_at,
    ${ROWS_BY_STATE} as rows
  from runs
  join users maker on maker.user_id = runs.submitted_by
  left join users checker on checker.user_id = runs.decided_by`;

function runOf(row: RunRow): RunRecord {
  return {
    runId: row.run_id,
    account: row.account,
    fileName: row.file_name,
    header: row.header,
    rowCount: row.row_count,
    state: row.state,
    stateReason: row.state_reason,
    proposal: row.proposal,
    submittedBy: { userId: row.submitted_by, name: row.submitted_by_name },
    submittedAt: row.submitted_at,
    decidedBy: row.decided_by === null ? null : { userId: row.decided_by, name: row.decided_by_name ?? '' },
    decisionComment: row.decision_comment,
    decidedAt: row.decided_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    rows: row.rows ?? {},
  };
}

export async function readRun(database: Queryable, runId: string): Promise<RunRecord | null> {
  const { rows } = await database.query<RunRow>(`${SELECT_RUNS} where run_id = $1`, [runId]);
  const row = rows[0];
  return row === undefined ? null : runOf(row);
}

/** The latest first; `before` is the run after whose place in the list the page starts. */
export async function listRuns(
  database: Queryable,
  page: { limit: number; before: string | null },
): Promise<RunRecord[]> {
  const { rows } = await database.query<RunRow>(
    `${SELECT_RUNS}
     where $2::uuid is null or (submitted_at, run_id) < (select submitted_at, run_id from runs where run_id = $2)
     order by submitted_at desc, run_id desc limit $1`,
    [page.limit, page.before],
  );
  return rows.map(runOf);
}

export interface RunMove {
  to: RunState;
  reason?: string | null;
  proposal?: RunProposal;
  finished?: boolean;
  detail?: Record<string, unknown>;
}

/**
 * Moves a run as the worker: decisions on it are not made so (see authority.ts). False when the run is in no state from
 * which it may go there. Repeating a move that was made is true.
 */
export async function moveRun(database: Queryable, runId: string, move: RunMove): Promise<boolean> {
  const from = RUN_STATES.filter((state) => state === move.to || mayMoveRun(state, move.to));
  const { rows } = await database.query<{ moved: number }>(
    `with before as (
       select state as state_before from runs where run_id = $1 and state = any($2) for update
     ), moved as (
       update runs set state = $3, state_reason = $4,
         proposal = coalesce($5, proposal),
         finished_at = case when $6 then coalesce(finished_at, clock_timestamp()) else null end
       from before where run_id = $1 returning run_id, state_before
     ), audited as (
       insert into audit_entries (actor, kind, run_id, detail)
       select 'worker', 'run_' || $3, run_id, $7::jsonb from moved where state_before <> $3
     )
     select count(*)::int as moved from moved`,
    [
      runId,
      from,
      move.to,
      move.reason ?? null,
      move.proposal === undefined ? null : JSON.stringify(move.proposal),
      move.finished ?? false,
      JSON.stringify(move.detail ?? {}),
    ],
  );
  return rows[0]?.moved === 1;
}

/** Puts a proposal in the place of another while the run waits for a decision. True: the content has changed meanwhile. */
export async function replaceProposal(database: Database, runId: string, proposal: RunProposal): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    // Whoever changes the content holds this row, so that the hash is of what is there when the proposal is.
    await transaction.query('select from runs where run_id = $1 for update', [runId]);
    const { rows } = await transaction.query<{ isStale: boolean }>(
      `update runs set proposal = $2, proposal_is_stale = run_content_hash(run_id) <> $3
       where run_id = $1 and state = 'in_approval' returning proposal_is_stale as "isStale"`,
      [runId, JSON.stringify(proposal), proposal.contentHash],
    );
    return rows[0]?.isStale ?? false;
  });
}

/** Runs whose content has changed since they were proposed. */
export async function listStaleProposals(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ run_id: string }>(
    `select run_id from runs where proposal_is_stale and state = 'in_approval' order by run_id limit 100`,
  );
  return rows.map((row) => row.run_id);
}

/** What a run's workflow needs to know of it: no names. */
export interface RunStanding {
  account: string;
  state: RunState;
  stateReason: string | null;
  /** Whether an approval has frozen its content. */
  isApproved: boolean;
  isStopped: boolean;
  isCancelled: boolean;
  rows: Partial<Record<PaymentState, number>>;
}

export async function readRunStanding(database: Queryable, runId: string): Promise<RunStanding | null> {
  const { rows } = await database.query<RunStanding>(
    `select account, state, state_reason as "stateReason", is_stopped(account, run_id) as "isStopped",
       exists (select from stops where stops.run_id = runs.run_id and cancelled_at is not null) as "isCancelled",
       exists (select from approved_payments approved where approved.run_id = runs.run_id) as "isApproved",
       coalesce(${ROWS_BY_STATE}, '{}') as rows
     from runs where run_id = $1`,
    [runId],
  );
  return rows[0] ?? null;
}

/** The run's workflow has learnt of the decision on it. */
export async function markRunNotified(database: Queryable, runId: string): Promise<void> {
  await database.query('update runs set told_at = clock_timestamp() where run_id = $1 and told_at is null', [runId]);
}

/** Runs that were decided on and whose workflows have not been seen to know it. */
export async function listRunsToNotify(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ run_id: string }>(
    `select run_id from runs where told_at is null
       and (decided_at < clock_timestamp() - interval '5 seconds'
         or state = 'cancelled' and finished_at < clock_timestamp() - interval '5 seconds')
     order by coalesce(decided_at, finished_at), run_id limit 100`,
  );
  return rows.map((row) => row.run_id);
}

/** A run whose workflow has still something to do; null: it is over, and the workflow has learnt of it. */
export async function readRunToResume(
  database: Queryable,
  runId: string,
): Promise<{ runId: string; account: string } | null> {
  const { rows } = await database.query<{ runId: string; account: string }>(
    `select run_id as "runId", account from runs
     where run_id = $1 and (finished_at is null or told_at is null) and state <> 'draft'`,
    [runId],
  );
  return rows[0] ?? null;
}

/** Runs that are not over, the oldest first; `after` is the run after whose place the page starts. */
export async function listRunsToResume(
  database: Queryable,
  page: { after: string | null; limit: number },
): Promise<{ runId: string; account: string }[]> {
  const { rows } = await database.query<{ runId: string; account: string }>(
    `select run_id as "runId", account from runs
     where state in ('validating', 'proposed', 'in_approval', 'scheduled', 'awaiting_funds', 'running', 'paused')
       and submitted_at < clock_timestamp() - interval '5 seconds'
       and ($1::uuid is null or (submitted_at, run_id) > (select submitted_at, run_id from runs where run_id = $1))
     order by submitted_at, run_id limit $2`,
    [page.after, page.limit],
  );
  return rows;
}

/** Says why a run is where it is, without moving it. */
export async function noteRunReason(database: Queryable, runId: string, reason: string | null): Promise<void> {
  await database.query('update runs set state_reason = $2 where run_id = $1', [runId, reason]);
}

/** Runs that were stored a while ago and have not left their first state: their workflow may never have been started. */
export async function listUnstartedRuns(database: Queryable): Promise<{ runId: string; account: string }[]> {
  const { rows } = await database.query<{ runId: string; account: string }>(
    `select run_id as "runId", account from runs
     where state = 'validating' and submitted_at < clock_timestamp() - interval '5 seconds' order by submitted_at`,
  );
  return rows;
}
