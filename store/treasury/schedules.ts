import { callAsUser, type FunctionAnswer } from '../database/call-as-user.ts';
import type { Database } from '../database/database.ts';
import type { TokenProof } from '../users/token-proof.ts';

/** Changes of schedules, by functions of the database that verify the user's proof. @throws Refused, all of them */

interface AddedVersion extends FunctionAnswer {
  version: number;
}

/** `definition`: canonical JSON of the whole schedule. */
export function addScheduleAs(
  database: Database,
  proof: TokenProof,
  { scheduleId, definition }: { scheduleId: string; definition: string },
): Promise<AddedVersion> {
  return callAsUser(database, 'add_schedule($1, $2, $3)', [proof.bytes, scheduleId, definition]);
}

export function editScheduleAs(
  database: Database,
  proof: TokenProof,
  { scheduleId, definition }: { scheduleId: string; definition: string },
): Promise<AddedVersion> {
  return callAsUser(database, 'edit_schedule($1, $2, $3)', [proof.bytes, scheduleId, definition]);
}

export async function decideScheduleAs(
  database: Database,
  proof: TokenProof,
  scheduleId: string,
  decided: { version: number; decision: 'confirmed' | 'rejected'; definitionHash: string; comment: string | null },
): Promise<void> {
  const { version, decision, definitionHash, comment } = decided;
  const values = [proof.bytes, scheduleId, version, decision, definitionHash, comment];
  await callAsUser(database, 'decide_schedule($1, $2, $3, $4, $5, $6)', values);
}

export async function pauseScheduleAs(
  database: Database,
  proof: TokenProof,
  scheduleId: string,
  reason: string | null,
): Promise<void> {
  await callAsUser(database, 'pause_schedule($1, $2, $3)', [proof.bytes, scheduleId, reason]);
}

export async function resumeScheduleAs(
  database: Database,
  proof: TokenProof,
  scheduleId: string,
  reason: string | null,
): Promise<void> {
  await callAsUser(database, 'resume_schedule($1, $2, $3)', [proof.bytes, scheduleId, reason]);
}

export async function deleteScheduleAs(
  database: Database,
  proof: TokenProof,
  scheduleId: string,
  reason: string | null,
): Promise<void> {
  await callAsUser(database, 'delete_schedule($1, $2, $3)', [proof.bytes, scheduleId, reason]);
}
