import type { WorkflowHandle } from '@temporalio/client';
import { expect } from 'vitest';
import type { DecidedRun } from '../../api/approvals/decision.ts';
import type { RunSummary } from '../../api/runs/run.ts';
import type { Submission, SubmitOutcome } from '../../application/runs/submission.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import { aRow, csvOf, type PaymentRow } from '../../fixtures/payment-rows.ts';
import { type PayrunUnderTest, untilRun } from './payrun-under-test.ts';
import { expectAllFaultsApplied, expectPaidOnce } from './sandbox-control.ts';
import { until } from './until.ts';

let rowsMade = 0;

/**
 * Rows that differ from all others of this process, so that none is a suspected duplicate. However many were made before, their amounts
 * stay below 500, as many balances of tests are small.
 */
export function newRows(count: number, parts: Partial<PaymentRow> = {}): PaymentRow[] {
  return Array.from({ length: count }, () => {
    rowsMade += 1;
    return aRow(rowsMade, { amount: `${100 + (rowsMade % 400)}.00`, ...parts });
  });
}

/** Submits a file as the maker. */
export function submitFile(
  { application, maker }: PayrunUnderTest,
  file: Buffer,
  parts: Partial<Submission> = {},
): Promise<SubmitOutcome> {
  return application.submit(maker, {
    account: null,
    fileName: 'test.csv',
    file,
    profile: null,
    files: [],
    onInvalid: 'reject',
    idempotencyKey: null,
    ...parts,
  });
}

/** Submits rows that must be accepted; returns the run's id once the run waits for approval. */
export async function submitRows(
  payrun: PayrunUnderTest,
  rows: readonly Record<string, string>[],
  parts: Partial<Submission> = {},
): Promise<string> {
  const outcome = await submitFile(payrun, csvOf(rows), parts);
  if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome.problems));
  await untilRun(payrun.application, outcome.runId, 'in_approval');
  return outcome.runId;
}

/** Submits rows and approves the run as the checker; returns the run's id. */
export async function beginRun(
  payrun: PayrunUnderTest,
  rows: readonly Record<string, string>[],
  parts: Partial<Submission> = {},
): Promise<string> {
  const runId = await submitRows(payrun, rows, parts);
  await approve(payrun, runId);
  return runId;
}

/** Approves a run with the content hash that its proposal has now; by default as the checker. */
export async function approve(
  { application, checker }: Pick<PayrunUnderTest, 'application' | 'checker'>,
  runId: string,
  { as = checker, comment = null }: { as?: SignedIn; comment?: string | null } = {},
): Promise<DecidedRun> {
  return application.approveRun(as, runId, { comment, contentHash: await contentHashOf(application, runId) });
}

export async function reject(
  { application, checker }: Pick<PayrunUnderTest, 'application' | 'checker'>,
  runId: string,
  { as = checker, comment = null }: { as?: SignedIn; comment?: string | null } = {},
): Promise<DecidedRun> {
  return application.rejectRun(as, runId, { comment, contentHash: await contentHashOf(application, runId) });
}

export async function contentHashOf(application: PayrunUnderTest['application'], runId: string): Promise<string> {
  return (await application.findRun(runId))?.proposal?.contentHash ?? '';
}

/** Waits until the provider has so many payments of the run that are not funded. Where the balance is insufficient, they soon wait for it. */
export async function untilUnfunded(
  { application }: Pick<PayrunUnderTest, 'application'>,
  runId: string,
  payments: number,
): Promise<void> {
  await until(async () => {
    const { created = 0, awaiting_funds: waiting = 0 } = (await application.findRun(runId))?.rows ?? {};
    return created + waiting === payments;
  });
}

/** Waits until the run has ended, and returns it. */
export function untilPaid({ application }: PayrunUnderTest, runId: string): Promise<RunSummary> {
  return untilRun(application, runId, 'completed', 'partially_completed', 'failed');
}

export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** The lines of a CSV whose cells have no line breaks; the first is the header. */
export async function linesOf(pieces: AsyncIterable<string>): Promise<string[]> {
  return (await textOf(pieces)).trimEnd().split(/\r?\n/);
}

/** Waits until a workflow has written nothing for a second; returns the length of its history then. One that never pauses fails. */
export async function untilQuiet(workflow: Pick<WorkflowHandle, 'describe'>): Promise<number> {
  const { historyLength } = await workflow.describe();
  expect(historyLength).toBeLessThan(1_000);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return (await workflow.describe()).historyLength === historyLength ? historyLength : untilQuiet(workflow);
}

export async function runOf({ application }: PayrunUnderTest, runId: string): Promise<RunSummary> {
  const run = await application.findRun(runId);
  if (run === null) throw new Error('there is no such run');
  return run;
}

/** Two people let what was stopped go on. */
export async function liftStop({ application, maker, checker }: PayrunUnderTest, stopId: string): Promise<void> {
  expect(await application.liftStop(maker, stopId, { liftRequestedBy: null })).toMatchObject({
    state: 'lift_requested',
  });
  expect(await application.liftStop(checker, stopId, { liftRequestedBy: maker.userId })).toMatchObject({
    state: 'lifted',
  });
}

/** Waits for the end of the run, and returns it: every row is paid once, although each of the injected faults was applied. */
export async function expectPaidDespiteFaults(payrun: PayrunUnderTest, runId: string): Promise<RunSummary> {
  const run = await untilPaid(payrun, runId);
  expect(run.state).toBe('completed');
  await expectAllFaultsApplied(payrun.sandbox);
  await expectPaidOnce(payrun, runId);
  return run;
}
