import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { RunProposal } from '../../domain/runs/run-proposal.ts';
import { mayTransitionRun, RUN_STATES, type RunState } from '../../domain/runs/run-state.ts';
import type { Queryable } from '../database/database.ts';
import { ROWS_BY_STATE } from './run-counts.ts';

/** What a run's workflow needs: no names. */
export interface RunStatus {
  account: string;
  state: RunState;
  stateReason: string | null;
  /** Its maker has to send it before anybody can decide on it. */
  waitsForMaker: boolean;
  /** Whether an approval has frozen its content. */
  isApproved: boolean;
  isStopped: boolean;
  isCancelled: boolean;
  rows: Partial<Record<PaymentState, number>>;
}

export async function readRunStatus(database: Queryable, runId: string): Promise<RunStatus | null> {
  const { rows } = await database.query<RunStatus>(
    `select account, state, state_reason as "stateReason", waits_for_maker as "waitsForMaker", is_stopped(account, run_id) as "isStopped",
       exists (select from stops where stops.run_id = runs.run_id and cancelled_at is not null) as "isCancelled",
       exists (select from approved_payments approved where approved.run_id = runs.run_id) as "isApproved",
       coalesce(${ROWS_BY_STATE}, '{}') as rows
     from runs where run_id = $1`,
    [runId],
  );
  return rows[0] ?? null;
}

export interface RunTransition {
  to: RunState;
  reason?: string | null;
  proposal?: RunProposal;
  finished?: boolean;
  detail?: Record<string, unknown>;
}

/**
 * Changes a run's state as the worker; decisions are made by people (run-decisions.ts). False when the run's state does not
 * allow it. Repeating a transition returns true.
 */
export async function transitionRun(database: Queryable, runId: string, transition: RunTransition): Promise<boolean> {
  const from = RUN_STATES.filter((state) => state === transition.to || mayTransitionRun(state, transition.to));
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
      transition.to,
      transition.reason ?? null,
      transition.proposal === undefined ? null : JSON.stringify(transition.proposal),
      transition.finished ?? false,
      JSON.stringify(transition.detail ?? {}),
    ],
  );
  return rows[0]?.moved === 1;
}

/** Milliseconds for which people may still decide on a run, or send it for approval, by the clock of the database; 0: it does not wait for them any more. */
export async function readDecisionTimeLeft(database: Queryable, runId: string): Promise<number> {
  const { rows } = await database.query<{ leftMs: number }>(
    `select greatest(0, extract(epoch from opened_at + decide_within - clock_timestamp()) * 1000)::float8 as "leftMs"
     from runs where run_id = $1 and run_waits_for_people(state)`,
    [runId],
  );
  return rows[0]?.leftMs ?? 0;
}

/** Sets the reason shown with a run's state. */
export async function noteRunReason(database: Queryable, runId: string, reason: string | null): Promise<void> {
  await database.query('update runs set state_reason = $2 where run_id = $1', [runId, reason]);
}
