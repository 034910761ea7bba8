import type { DecidedRun, RunSummary, SubmitOutcome, Submission } from '../../application/application-api.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import { aRow, csvOf, type RowParts } from './payment-file.ts';
import { type PayrunUnderTest, untilRun } from './payrun-under-test.ts';

let rowsMade = 0;

/** Rows that no other of this test file resembles, so that none is taken for a duplicate. */
export function newRows(count: number, parts: Partial<RowParts> = {}): RowParts[] {
  return Array.from({ length: count }, () => {
    rowsMade += 1;
    return aRow(rowsMade, parts);
  });
}

/** Submits a file as the maker. */
export function submitFile(
  { application, maker }: PayrunUnderTest,
  csv: Buffer,
  parts: Partial<Submission> = {},
): Promise<SubmitOutcome> {
  return application.submit(maker, {
    account: null,
    fileName: 'test.csv',
    csv,
    defaults: {},
    mapping: {},
    files: [],
    onInvalid: 'reject',
    idempotencyKey: null,
    ...parts,
  });
}

/** Submits rows that are to be accepted, and answers the run's id once the run waits for a decision. */
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

/** Submits rows and has the checker approve them; answers the run's id. */
export async function beginRun(
  payrun: PayrunUnderTest,
  rows: readonly Record<string, string>[],
  parts: Partial<Submission> = {},
): Promise<string> {
  const runId = await submitRows(payrun, rows, parts);
  await approve(payrun, runId);
  return runId;
}

/** Approves a run as it is now; as the checker unless told otherwise. */
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

/** The run once it was paid as far as it could be. */
export function untilPaid({ application }: PayrunUnderTest, runId: string): Promise<RunSummary> {
  return untilRun(application, runId, 'completed', 'partially_completed', 'failed');
}

export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** The lines of a CSV whose cells hold no line breaks; the header is the first. */
export async function linesOf(pieces: AsyncIterable<string>): Promise<string[]> {
  return (await textOf(pieces)).trimEnd().split(/\r?\n/);
}
