import type { PayrunClient } from '../../client/sdk/index.ts';

/** Approves a run with the content hash that its proposal has now. */
export async function approveOverHttp(checker: PayrunClient, runId: string): Promise<void> {
  await checker.approveRun({ runId, contentHash: await contentHashOver(checker, runId) });
}

export async function rejectOverHttp(checker: PayrunClient, runId: string, comment: string): Promise<void> {
  await checker.rejectRun({ runId, comment, contentHash: await contentHashOver(checker, runId) });
}

async function contentHashOver(checker: PayrunClient, runId: string): Promise<string> {
  return (await checker.getRun({ runId })).proposal?.contentHash ?? '';
}

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
