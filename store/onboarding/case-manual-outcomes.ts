import type { Queryable } from '../database/database.ts';

/** A proposal that a second person confirmed: a worker acts on it. */
export interface ConfirmedCaseManualOutcome {
  manualOutcomeId: string;
  caseId: string;
  outcome: 'signed_up' | 'never_created';
  userId: string | null;
  /** Since the second person confirmed it. */
  confirmedAgeMs: number;
}

/** The proposal to act on; null: none is confirmed and open. */
export async function readConfirmedManualOutcome(
  database: Queryable,
  caseId: string,
): Promise<ConfirmedCaseManualOutcome | null> {
  const { rows } = await database.query<ConfirmedCaseManualOutcome>(
    `select manual_outcome_id as "manualOutcomeId", case_id as "caseId", outcome, user_id as "userId",
       (extract(epoch from clock_timestamp() - confirmed_at) * 1000)::float8 as "confirmedAgeMs" from case_manual_outcomes
     where case_id = $1 and state = 'proposed' and confirmed_by is not null`,
    [caseId],
  );
  return rows[0] ?? null;
}

/** `contradicted`: the provider shows somebody else, or no such user. */
export async function closeCaseManualOutcome(
  database: Queryable,
  { manualOutcomeId, caseId }: ConfirmedCaseManualOutcome,
  state: 'confirmed' | 'contradicted',
  reason: string | null,
): Promise<void> {
  await database.query(
    `with closed as (
       update case_manual_outcomes set state = $2, closed_at = clock_timestamp(), closing_reason = $3
       where manual_outcome_id = $1 and state = 'proposed' returning manual_outcome_id
     )
     insert into audit_entries (actor, kind, detail)
     select 'worker', 'case_manual_outcome_' || $2, jsonb_build_object('case', $4::uuid, 'manualOutcome', manual_outcome_id) from closed`,
    [manualOutcomeId, state, reason, caseId],
  );
}
