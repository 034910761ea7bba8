import type { PayrunClient } from '../../client/sdk/index.ts';

/** Approves a run as it is now. */
export async function approveRun(checker: PayrunClient, runId: string): Promise<void> {
  const { proposal } = await checker.getRun(runId);
  await checker.approveRun(runId, { contentHash: proposal?.contentHash ?? '' });
}
