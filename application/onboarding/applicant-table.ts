import { exactDate } from '../../domain/import-profiles/read-date.ts';
import { UnreadableFile } from '../payment-file/file-problem.ts';
import { findTable, firstRecords } from '../sheets/find-table.ts';
import { openSheet } from '../sheets/open-sheet.ts';
import { SHEET_LIMITS, type SheetLimits } from '../sheets/sheet.ts';
import type { SheetNote } from '../sheets/sheet-notes.ts';
import { type TableRow, tableRows } from '../sheets/table-rows.ts';
import { refuseGuess } from './file-text.ts';

/** The applicants of a sheet: headers, and rows below them. */
export interface ApplicantTable {
  headerLine: number;
  header: string[];
  rows: { line: number; cells: string[] }[];
  /** What somebody would have to look at: hidden rows, formulas without a result and the like. */
  notes: SheetNote[];
}

const MEBIBYTE = 1024 ** 2;

/** A submission takes 2,000 documents. The check runs in the thread of the server: so many take a quarter of a second. */
const APPLICANT_LIMITS: SheetLimits = {
  ...SHEET_LIMITS,
  bytes: 20 * MEBIBYTE,
  rows: 2_000,
  unfoldedBytes: 60 * MEBIBYTE,
  distinctTextBytes: 20 * MEBIBYTE,
  charactersInAll: 20 * MEBIBYTE,
};

/** Cells that are a little too long are refused later, with their columns. */
const LONGER = 4;

/** Reads a CSV or a workbook that begins with its headers; nothing of it is left out. Throws UnreadableFile. */
export async function readApplicantTable(content: Uint8Array): Promise<ApplicantTable> {
  const limits = { ...APPLICANT_LIMITS, cellCharacters: LONGER * APPLICANT_LIMITS.cellCharacters };
  const sheet = await openSheet(content, {}, limits);
  refuseGuess(sheet.proposals.find(({ what }) => what === 'encoding') ?? null);
  const first = await firstRecords(sheet);
  const table = findTable(first, sheet.form);
  const [above] = table?.leftOut ?? [];
  if (table === null || above !== undefined) throw noHeaders(above?.line ?? first[0]?.line ?? 1);
  const rows: ApplicantTable['rows'] = [];
  for await (const batch of tableRows(sheet.records(), table, { form: sheet.form, keepsAll: true })) {
    for (const row of batch) rows.push({ line: row.line, cells: textsOf(row) });
  }
  return { headerLine: table.headerLine, header: table.header, rows, notes: sheet.notes() };
}

/** Days of a workbook in one form, however it shows them. */
function textsOf({ cells, values }: TableRow): string[] {
  return cells.map((cell, index) => {
    const value = values?.[index] ?? null;
    return value === null ? cell : (exactDate(value) ?? cell);
  });
}

function noHeaders(line: number): UnreadableFile {
  return new UnreadableFile(
    { line },
    'no_header',
    'the line has cells and no headers',
    'begin the file with a line that names each column, and delete what is above it',
  );
}
