import type { PayrunClient, RunSummary } from '../../client/sdk/index.ts';
import { csvOf, type PaymentRow } from '../../fixtures/payment-rows.ts';
import type { BenchStack } from './bench-stack.ts';

/** Submits the rows and waits until the run can be approved; none of this is measured. */
export async function proposeRun(
  { maker }: BenchStack,
  rows: readonly PaymentRow[],
  account?: string,
): Promise<string> {
  const submission = { fileName: 'bench.csv', file: csvOf(rows), ...(account === undefined ? {} : { account }) };
  const { runId } = await maker.submitRun(submission);
  for await (const run of maker.watchRun({ runId })) {
    if (run.state === 'in_approval') return runId;
  }
  throw new Error('the run ended before it was proposed');
}

/** Follows a run to its end. @throws Error when a row was not paid */
export async function untilPaid({ maker }: BenchStack, runId: string): Promise<void> {
  let last: RunSummary | undefined;
  for await (const run of maker.watchRun({ runId })) {
    last = run;
  }
  if (last?.state !== 'completed')
    throw new Error(`the run ended ${last?.state ?? 'unseen'}: ${JSON.stringify(last?.rows)}`);
}

/** Approves a run with the content hash that its proposal has now. */
export async function approveRun(checker: PayrunClient, runId: string): Promise<void> {
  const { proposal } = await checker.getRun({ runId });
  await checker.approveRun({ runId, contentHash: proposal?.contentHash ?? '' });
}
