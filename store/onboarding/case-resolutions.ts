import type { Queryable } from '../database/database.ts';

/** A proposal that a second person confirmed: a worker acts on it. */
export interface ConfirmedCaseResolution {
  resolutionId: string;
  caseId: string;
  outcome: 'signed_up' | 'never_created';
  userId: string | null;
}

/** The proposal to act on; null: none is confirmed and open. */
export async function readConfirmedResolution(
  database: Queryable,
  caseId: string,
): Promise<ConfirmedCaseResolution | null> {
  const { rows } = await database.query<ConfirmedCaseResolution>(
    `select resolution_id as "resolutionId", case_id as "caseId", outcome, user_id as "userId" from case_resolutions
     where case_id = $1 and state = 'proposed' and confirmed_by is not null`,
    [caseId],
  );
  return rows[0] ?? null;
}

/** `contradicted`: the provider shows somebody else, or no such user. */
export async function closeCaseResolution(
  database: Queryable,
  { resolutionId, caseId }: ConfirmedCaseResolution,
  state: 'confirmed' | 'contradicted',
  reason: string | null,
): Promise<void> {
  await database.query(
    `with closed as (
       update case_resolutions set state = $2, closed_at = clock_timestamp(), closing_reason = $3
       where resolution_id = $1 and state = 'proposed' returning resolution_id
     )
     insert into audit_entries (actor, kind, detail)
     select 'worker', 'case_resolution_' || $2, jsonb_build_object('case', $4::uuid, 'resolution', resolution_id) from closed`,
    [resolutionId, state, reason, caseId],
  );
}
