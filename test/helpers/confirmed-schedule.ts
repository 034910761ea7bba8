import type { PayrunClient } from '../../client/sdk/index.ts';

/** Adds a schedule, as its file has it, and has another person confirm it; answers its id. */
export async function confirmedScheduleOverHttp(
  { treasurer, checker }: { treasurer: PayrunClient; checker: PayrunClient },
  schedule: object,
): Promise<string> {
  const scheduleId = (await treasurer.addSchedule({ schedule: { ...schedule } })).scheduleId ?? '';
  const { proposed } = (await treasurer.getSchedule({ scheduleId })).schedule;
  const definitionHash = proposed?.definitionHash ?? '';
  await checker.decideSchedule({ scheduleId, version: 1, decision: 'confirmed', definitionHash });
  return scheduleId;
}
