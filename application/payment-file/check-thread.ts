import { parentPort } from 'node:worker_threads';
import { corridorsOf } from '../../domain/payment-file/corridors-of.ts';
import type { Corridor } from '../../domain/payment-file/reference-data.ts';
import { type NewRow, rowBatch, type RowBatch } from '../../store/runs/new-row.ts';
import {
  type AcceptedFile,
  type CheckTerms,
  checkPaymentFile,
  type FileToCheck,
  type ReadFile,
  readFileToCheck,
  type RefusedFile,
} from './check-payment-file.ts';
import { bytesOf, type FileContent } from './file-content.ts';

/** What a thread is asked, step by step: the next step when the last is answered. */
export interface CheckSteps {
  /** Reads the file, and answers which corridors its rows need to be known. */
  read: {
    input: Omit<FileToCheck, 'csv'> & { csv: FileContent };
    answer: RefusedFile | { kind: 'read'; corridors: Corridor[] };
  };
  /** Checks its rows. */
  check: { input: CheckTerms; answer: RefusedFile | (Omit<AcceptedFile, 'rows'> & { rowCount: number }) };
  /** The rows of an accepted file from a position on, a batch of them: whoever takes them can do other things between. */
  rows: { input: { from: number }; answer: RowBatch };
}

export type CheckStep = {
  [Step in keyof CheckSteps]: { step: Step; input: CheckSteps[Step]['input'] };
}[keyof CheckSteps];

let read: ReadFile | null = null;
let rows: NewRow[] = [];

async function take(asked: CheckStep): Promise<CheckSteps[keyof CheckSteps]['answer']> {
  if (asked.step === 'rows') return rowBatch(rows, asked.input.from);
  return asked.step === 'read' ? readOf(asked.input) : checkOf(asked.input);
}

async function readOf(input: CheckSteps['read']['input']): Promise<CheckSteps['read']['answer']> {
  const result = readFileToCheck({ ...input, csv: await bytesOf(input.csv) });
  if (result.kind === 'refused') return result;
  read = result;
  return { kind: 'read', corridors: corridorsOf(result.rows) };
}

function checkOf(terms: CheckSteps['check']['input']): CheckSteps['check']['answer'] {
  if (read === null) throw new Error('a file is read before its rows are checked');
  const checked = checkPaymentFile(read, terms);
  read = null;
  if (checked.kind === 'refused') return checked;
  const { rows: found, ...rest } = checked;
  rows = found;
  return { ...rest, rowCount: found.length };
}

parentPort?.on('message', (asked: CheckStep) => {
  // What fails unexpectedly ends the thread, and whoever asked is told.
  void take(asked).then((answer) => parentPort?.postMessage(answer));
});
