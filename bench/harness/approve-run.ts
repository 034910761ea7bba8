import type { PayrunClient } from '../../client/sdk/index.ts';

/** Approves a run with the content hash that its proposal has now. */
export async function approveRun(checker: PayrunClient, runId: string): Promise<void> {
  const { proposal } = await checker.getRun(runId);
  await checker.approveRun({ runId, contentHash: proposal?.contentHash ?? '' });
}
