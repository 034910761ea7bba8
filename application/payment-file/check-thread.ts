import { parentPort } from 'node:worker_threads';
import { beneficiaryKeysOf, corridorsOf } from '../../domain/payment-file/corridors.ts';
import type { FileNeeds } from './terms-of-file.ts';
import type { NewRow, RowBatch } from '../../domain/runs/new-row.ts';
import type { RunKey } from '../../store/personal-data/payee-data.ts';
import type { SheetReadingProposal } from '../../api/payment-file/reading.ts';
import { ChoiceNeeded, type SheetLimits } from '../sheets/sheet.ts';
import { rowBatch } from '../../store/runs/row-content.ts';
import {
  type AcceptedFile,
  type CheckTerms,
  checkPaymentFile,
  type ReadFile,
  readFileToCheck,
  type RefusedFile,
} from './check-payment-file.ts';
import { type Unreadable, UnreadableFile } from './file-problem.ts';
import type { FileToRead } from './open-payment-file.ts';
import { type FileToPropose, proposeReading } from './propose-reading.ts';
import { type ReadTable, readTable } from './read-table.ts';

/** The steps of a check, each with its input and answer: one at a time. */
export interface CheckSteps {
  /** Reads the file; the answer has what its rows are checked against. */
  read: {
    input: FileToRead & { limits?: SheetLimits };
    answer: RefusedFile | ({ kind: 'read' } & FileNeeds);
  };
  /** Reads the file as a table to be corrected. */
  table: {
    input: FileToRead & { limits: SheetLimits };
    answer: ReadTable | Unreadable;
  };
  /** Proposes how the file is read. */
  propose: {
    input: FileToPropose & { limits: SheetLimits };
    answer: SheetReadingProposal | Unreadable;
  };
  /** Checks its rows. */
  check: { input: CheckTerms; answer: RefusedFile | (Omit<AcceptedFile, 'rows'> & { rowCount: number }) };
  /** A batch of the rows of an accepted file, so that the receiver can do other work between batches. */
  rows: { input: { from: number; key: RunKey }; answer: RowBatch };
  /** Nothing of a file stays in a thread that waits for the next one. */
  forget: { input: null; answer: null };
}

export type CheckStep = {
  [Step in keyof CheckSteps]: { step: Step; input: CheckSteps[Step]['input'] };
}[keyof CheckSteps];

let read: ReadFile | null = null;
let rows: NewRow[] = [];

async function answerOf(request: CheckStep): Promise<CheckSteps[keyof CheckSteps]['answer']> {
  if (request.step === 'read') return readOf(request.input);
  if (request.step === 'table') return orUnreadable(() => readTable(request.input, request.input.limits));
  if (request.step === 'propose') return orUnreadable(() => proposeReading(request.input, request.input.limits));
  if (request.step === 'check') return checkOf(request.input);
  if (request.step === 'rows') return rowBatch(request.input.key, rows, request.input.from);
  read = null;
  rows = [];
  return null;
}

async function readOf({ limits, ...file }: CheckSteps['read']['input']): Promise<CheckSteps['read']['answer']> {
  const result = await readFileToCheck(file, limits);
  if (result.kind === 'refused') return result;
  read = result;
  return { kind: 'read', corridors: corridorsOf(result.rows), beneficiaryKeys: beneficiaryKeysOf(result.rows) };
}

async function orUnreadable<Answer>(read: () => Promise<Answer>): Promise<Answer | Unreadable> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { fileProblem: error.fileProblem, sheetNames: error instanceof ChoiceNeeded ? error.sheetNames : [] };
  }
}

function checkOf(terms: CheckSteps['check']['input']): CheckSteps['check']['answer'] {
  if (read === null) throw new Error('the file must be read before its rows are checked');
  const checked = checkPaymentFile(read, terms);
  read = null;
  if (checked.kind === 'refused') return checked;
  const { rows: found, ...rest } = checked;
  rows = found;
  return { ...rest, rowCount: found.length };
}

parentPort?.on('message', (request: CheckStep) => {
  // An unexpected failure ends the thread, which makes the request fail.
  void answerOf(request).then((answer) => parentPort?.postMessage(answer));
});
