import type { DecisionKind } from '../../domain/runs/run-state.ts';
import { callAsUser, type FunctionAnswer } from '../database/call-as-user.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { TokenHash } from '../users/token-hash.ts';

export interface RecordedDecision {
  decision: 'approved' | 'rejected';
  /** How many steps of the policy are taken with it, and how many there are; null for a rejection. */
  stepsTaken: number | null;
  steps: number | null;
  /** The approval that satisfied the policy: the run may be paid. */
  isLast: boolean;
}

export function decideRunAs(
  database: Database,
  tokenHash: TokenHash,
  decision: { runId: string; kind: RecordedDecision['decision']; contentHash: string; comment: string | null },
): Promise<RecordedDecision & FunctionAnswer> {
  const { runId, kind, contentHash, comment } = decision;
  return callAsUser(database, 'decide_run($1, $2, $3, $4, $5)', [tokenHash.bytes, runId, kind, contentHash, comment]);
}

/** The user's own decision on a content, as it was recorded; null: there is none. */
export async function readDecisionOf(
  database: Queryable,
  decision: { runId: string; userId: string; contentHash: string; kind: RecordedDecision['decision'] },
): Promise<{ decidedBy: { userId: string; name: string }; decidedAt: Date } | null> {
  const { runId, userId, contentHash, kind } = decision;
  const { rows } = await database.query<{ decidedBy: { userId: string; name: string }; decidedAt: Date }>(
    `select jsonb_build_object('userId', user_id, 'name', users.name) as "decidedBy", decided_at as "decidedAt"
     from approvals join users using (user_id)
     where run_id = $1 and user_id = $2 and content_hash = $3 and decision = $4
     order by decided_at desc limit 1`,
    [runId, userId, contentHash, kind],
  );
  return rows[0] ?? null;
}

export interface StoredDecision {
  decision: DecisionKind;
  by: { userId: string; name: string };
  /** Whose deputy that person was; null: they decided for themselves. */
  actsFor: { userId: string; name: string } | null;
  /** ISO 8601. */
  at: string;
  /** Null: nothing was written, or it was erased. */
  comment: string | null;
  /** It was made on what the run is now. */
  isCurrent: boolean;
}

/** SQL, beside `runs`: what people did with a run, as an array of `StoredDecision`, the oldest first. */
export const DECISIONS_OF_RUN = `(
  select coalesce(jsonb_agg(jsonb_build_object('decision', decision,
    'by', jsonb_build_object('userId', user_id, 'name', name),
    'actsFor', case when acts_for is not null then jsonb_build_object('userId', acts_for, 'name', acts_for_name) end,
    'at', to_char(made.decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'comment', remarks.body,
    'isCurrent', is_current) order by made.decided_at), '[]')
  from run_decisions(runs.run_id) as made left join remarks using (remark_id))`;

/** What people did with a run, the oldest first. */
export async function listDecisions(database: Queryable, runId: string): Promise<StoredDecision[]> {
  const { rows } = await database.query<{ decisions: StoredDecision[] }>(
    `select ${DECISIONS_OF_RUN} as decisions from runs where run_id = $1`,
    [runId],
  );
  return rows[0]?.decisions ?? [];
}

/** Sends a run for approval that was checked only. */
export async function sendRunAs(
  database: Database,
  tokenHash: TokenHash,
  runId: string,
  contentHash: string,
): Promise<void> {
  await callAsUser(database, 'send_run($1, $2, $3)', [tokenHash.bytes, runId, contentHash]);
}

export async function withdrawRunAs(
  database: Database,
  tokenHash: TokenHash,
  runId: string,
  reason: string | null,
): Promise<void> {
  await callAsUser(database, 'withdraw_run($1, $2, $3)', [tokenHash.bytes, runId, reason]);
}
