import { expect } from 'vitest';
import { writeExceptions } from '../../application/runs/write-exceptions.ts';
import { UnreadableFile } from '../../application/payment-file/file-problem.ts';
import { openPaymentFile } from '../../application/payment-file/open-payment-file.ts';
import { problemsOfNotes, readRows } from '../../application/payment-file/read-rows.ts';
import { SHEET_LIMITS, type SheetLimits } from '../../application/sheets/sheet.ts';
import type { Profile } from '../../domain/import-profiles/profile.ts';
import type { RawRow } from '../../domain/payment-file/raw-row.ts';
import { addProblems, type FileProblem, noProblems, type ProblemList } from '../../domain/payment-file/row-problem.ts';
import type { FileHeader } from '../../store/runs/runs.ts';

/** The columns that a file cannot do without, and cells for them. */
export const header =
  'row_ref,amount,amount_side,sell_currency,buy_currency,payment_reference,purpose_of_transfer,funding_source,funding_method';
export const cells = (rowRef: string): string => `${rowRef},10.00,buy,USD,EUR,Invoice,SUPP,COMPANY_BANK_ACCOUNT,PAYNOW`;

export const bytesOf = (...lines: string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`);

interface ReadOptions {
  profile?: Profile;
  limits?: Partial<SheetLimits>;
}

interface ReadFile {
  rows: RawRow[];
  header: FileHeader;
  notes: ProblemList;
}

/** Reads a file that must be readable. */
export async function rowsOf(bytes: Uint8Array, { profile, limits }: ReadOptions = {}): Promise<ReadFile> {
  const file = { file: bytes, profile: profile ?? null, rowNumbers: null };
  const opened = await openPaymentFile(file, { ...SHEET_LIMITS, ...limits });
  const { headers: names, sheet } = opened.table;
  const notes = noProblems();
  const rows: RawRow[] = [];
  for await (const batch of readRows(opened, null, (note) => addProblems(notes, [note]))) rows.push(...batch);
  addProblems(notes, problemsOfNotes(sheet.notes()));
  return { rows, notes, header: { names, hasByteOrderMark: sheet.reading.hasByteOrderMark, sheetName: null } };
}

/** Reads a file that must not be readable. */
export async function troubleOf(bytes: Uint8Array, options?: ReadOptions): Promise<FileProblem> {
  const read = await rowsOf(bytes, options).catch((error: unknown) => {
    if (error instanceof UnreadableFile) return error.fileProblem;
    throw error;
  });
  if ('rows' in read) expect.unreachable(`it was read: ${read.rows.length} rows`);
  return read;
}

export async function allOf<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  return (await allOf(pieces)).join('');
}

/** exceptions.csv of all rows of a file. */
export function exceptionsOf(read: Pick<ReadFile, 'rows' | 'header'>): Promise<string> {
  const lines = read.rows.map((row) => ({ cells: row.original, status: 'failed', reason: '=why, "so"' }));
  return textOf(writeExceptions(read.header, lines));
}
