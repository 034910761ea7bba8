import { callAsUser, type FunctionAnswer } from '../database/call-as-user.ts';
import type { Database } from '../database/database.ts';
import type { TokenHash } from '../users/token-hash.ts';

/** Changes of schedules, by functions of the database that verify the user's token hash. @throws Refused, all of them */

interface AddedVersion extends FunctionAnswer {
  version: number;
}

/** `definition`: canonical JSON of the whole schedule. */
export function addScheduleAs(
  database: Database,
  tokenHash: TokenHash,
  { scheduleId, definition }: { scheduleId: string; definition: string },
): Promise<AddedVersion> {
  return callAsUser(database, 'add_schedule($1, $2, $3)', [tokenHash.bytes, scheduleId, definition]);
}

export function editScheduleAs(
  database: Database,
  tokenHash: TokenHash,
  { scheduleId, definition }: { scheduleId: string; definition: string },
): Promise<AddedVersion> {
  return callAsUser(database, 'edit_schedule($1, $2, $3)', [tokenHash.bytes, scheduleId, definition]);
}

export async function decideScheduleAs(
  database: Database,
  tokenHash: TokenHash,
  scheduleId: string,
  decided: { version: number; decision: 'confirmed' | 'rejected'; definitionHash: string; comment: string | null },
): Promise<void> {
  const { version, decision, definitionHash, comment } = decided;
  const values = [tokenHash.bytes, scheduleId, version, decision, definitionHash, comment];
  await callAsUser(database, 'decide_schedule($1, $2, $3, $4, $5, $6)', values);
}

export async function pauseScheduleAs(
  database: Database,
  tokenHash: TokenHash,
  scheduleId: string,
  reason: string | null,
): Promise<void> {
  await callAsUser(database, 'pause_schedule($1, $2, $3)', [tokenHash.bytes, scheduleId, reason]);
}

export async function resumeScheduleAs(
  database: Database,
  tokenHash: TokenHash,
  scheduleId: string,
  reason: string | null,
): Promise<void> {
  await callAsUser(database, 'resume_schedule($1, $2, $3)', [tokenHash.bytes, scheduleId, reason]);
}

export async function deleteScheduleAs(
  database: Database,
  tokenHash: TokenHash,
  scheduleId: string,
  reason: string | null,
): Promise<void> {
  await callAsUser(database, 'delete_schedule($1, $2, $3)', [tokenHash.bytes, scheduleId, reason]);
}
