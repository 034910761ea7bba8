import type { PayrunClient } from '../../client/sdk/index.ts';

/** Adds a schedule, as its file has it, and has another person confirm it; answers its id. */
export async function confirmedScheduleOverHttp(
  { treasurer, checker }: { treasurer: PayrunClient; checker: PayrunClient },
  schedule: object,
): Promise<string> {
  const scheduleId = (await treasurer.schedules.add({ ...schedule })).scheduleId ?? '';
  const { proposed } = (await treasurer.schedules.get(scheduleId)).schedule;
  const definitionHash = proposed?.definitionHash ?? '';
  await checker.schedules.decide(scheduleId, { version: 1, decision: 'confirmed', definitionHash, comment: null });
  return scheduleId;
}
