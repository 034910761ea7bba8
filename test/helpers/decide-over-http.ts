import type { PayrunClient } from '../../client/sdk/index.ts';

/** Approves a run with the content hash that its proposal has now. */
export async function approveOverHttp(checker: PayrunClient, runId: string): Promise<void> {
  await checker.approveRun({ runId, contentHash: await contentHashOver(checker, runId) });
}

export async function rejectOverHttp(checker: PayrunClient, runId: string, comment: string): Promise<void> {
  await checker.rejectRun({ runId, comment, contentHash: await contentHashOver(checker, runId) });
}

async function contentHashOver(checker: PayrunClient, runId: string): Promise<string> {
  return (await checker.getRun(runId)).proposal?.contentHash ?? '';
}
