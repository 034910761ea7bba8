import { randomUUID } from 'node:crypto';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { scheduleHash } from '../../domain/treasury/scheduled-orders.ts';
import type { Schedule } from '../../domain/treasury/schedule.ts';
import { addScheduleAs, decideScheduleAs } from '../../store/treasury/schedules.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import type { TestUser } from '../helpers/users.ts';

/** Proposes a schedule as the server does. Returns its id. */
export async function aProposedSchedule(
  { asServer }: Pick<TestDatabase, 'asServer'>,
  { tokenHash }: TestUser,
  schedule: Schedule,
): Promise<string> {
  const scheduleId = randomUUID();
  await addScheduleAs(asServer, tokenHash, { scheduleId, definition: canonicalJson(schedule) });
  return scheduleId;
}

/** A schedule that another person has confirmed. Returns its id. */
export async function aConfirmedSchedule(
  database: Pick<TestDatabase, 'asServer'>,
  [proposer, confirmer]: readonly [TestUser, TestUser],
  schedule: Schedule,
): Promise<string> {
  const scheduleId = await aProposedSchedule(database, proposer, schedule);
  await confirmVersion(database, confirmer, { scheduleId, version: 1, schedule });
  return scheduleId;
}

export function confirmVersion(
  { asServer }: Pick<TestDatabase, 'asServer'>,
  { tokenHash }: TestUser,
  { scheduleId, version, schedule }: { scheduleId: string; version: number; schedule: Schedule },
): Promise<void> {
  const definitionHash = scheduleHash(schedule);
  return decideScheduleAs(asServer, tokenHash, scheduleId, {
    ...{ version, definitionHash, decision: 'confirmed', comment: null },
  });
}
