import { parentPort } from 'node:worker_threads';
import type { FileNeeds } from './terms-of-file.ts';
import type { NewRow, RowBatch } from '../../domain/runs/new-row.ts';
import type { RunKey } from '../../store/personal-data/payee-data.ts';
import { type BookFile, type ReadBook, readBookFile } from '../beneficiaries/book-file.ts';
import { ChoiceNeeded, type SheetLimits } from '../sheets/sheet.ts';
import { rowBatch } from '../../store/runs/row-content.ts';
import {
  type CheckedFile,
  type CheckTerms,
  checkPaymentFile,
  type FileFacts,
  type ReadFile,
  readFileToCheck,
  type RefusedFile,
} from './check-payment-file.ts';
import { type Unreadable, UnreadableFile } from './file-problem.ts';
import type { FileToRead } from './open-payment-file.ts';
import { type FileToPropose, type ProposedReading, proposeReading } from './propose-reading.ts';
import { type ReadTable, readTable } from './read-table.ts';

/** The steps of a check, each with its input and answer: one at a time. */
export interface CheckSteps {
  /** Reads the file to its end; the answer has what its rows are checked against. */
  read: {
    input: FileToRead & { limits?: SheetLimits };
    answer: RefusedFile | (FileFacts & FileNeeds & { kind: 'read' });
  };
  /** Reads the file as a table to be corrected. */
  table: {
    input: FileToRead & { limits: SheetLimits };
    answer: ReadTable | Unreadable;
  };
  /** Proposes how the file is read. */
  propose: {
    input: FileToPropose & { limits: SheetLimits };
    answer: ProposedReading | Unreadable;
  };
  /** Reads accounts for the book of beneficiaries. */
  book: {
    input: BookFile & { limits: SheetLimits };
    answer: ReadBook | Unreadable;
  };
  /** Begins to check the rows of the file that was read. `key` null: its rows are not asked for. */
  check: { input: { terms: CheckTerms; key: RunKey | null }; answer: null };
  /** The next batch of its rows, so that nothing holds all of them; after the last one, what was found. The memory of a batch is used again. */
  next: { input: RowBatch['json'] | null; answer: RowBatch | CheckedFile };
  /** Nothing of a file stays in a thread that waits for the next one. */
  forget: { input: null; answer: null };
}

export type CheckStep = {
  [Step in keyof CheckSteps]: { step: Step; input: CheckSteps[Step]['input'] };
}[keyof CheckSteps];

let read: ReadFile | null = null;
let rows: AsyncGenerator<NewRow[], CheckedFile, undefined> | null = null;
let key: RunKey | null = null;

async function answerOf(request: CheckStep): Promise<CheckSteps[keyof CheckSteps]['answer']> {
  if (request.step === 'read') return readOf(request.input);
  if (request.step === 'table') return orUnreadable(() => readTable(request.input, request.input.limits));
  if (request.step === 'propose') return orUnreadable(() => proposeReading(request.input, request.input.limits));
  if (request.step === 'book') return orUnreadable(() => readBookFile(request.input, request.input.limits));
  if (request.step === 'next') return nextOf(request.input);
  if (request.step === 'check') {
    if (read === null) throw new Error('the file must be read before its rows are checked');
    rows = checkPaymentFile(read, request.input.terms);
    key = request.input.key;
    return null;
  }
  read = null;
  rows = null;
  key = null;
  return null;
}

async function readOf({ limits, ...file }: CheckSteps['read']['input']): Promise<CheckSteps['read']['answer']> {
  const result = await readFileToCheck(file, limits);
  if (result.kind === 'refused') return result;
  read = result;
  const { kind, fileSha256, header, profile, rowCount, corridors, beneficiaryKeys } = result;
  return { kind, fileSha256, header, profile, rowCount, corridors, beneficiaryKeys };
}

async function nextOf(memory: CheckSteps['next']['input']): Promise<CheckSteps['next']['answer']> {
  if (rows === null) throw new Error('no rows are checked');
  for (;;) {
    const { value, done } = await rows.next();
    if (done === true) return value;
    if (key !== null) return rowBatch(key, value, memory);
  }
}

async function orUnreadable<Answer>(read: () => Promise<Answer>): Promise<Answer | Unreadable> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { fileProblem: error.fileProblem, sheetNames: error instanceof ChoiceNeeded ? error.sheetNames : [] };
  }
}

parentPort?.on('message', (request: CheckStep) => {
  // An unexpected failure ends the thread, which makes the request fail.
  void answerOf(request).then((answer) => {
    const isBatch = answer !== null && 'json' in answer;
    parentPort?.postMessage(answer, isBatch ? [answer.json.buffer] : []);
  });
});
