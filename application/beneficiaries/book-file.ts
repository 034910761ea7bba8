import type { FileProblems } from '../../api/payment-file/row-problem.ts';
import type { WantedReading } from '../../api/payment-file/reading.ts';
import { headerKey } from '../../domain/import-profiles/headers.ts';
import type { Profile } from '../../domain/import-profiles/profile.ts';
import { BOOK_COLUMNS } from '../../domain/import-profiles/sheet-use.ts';
import { type BookLine, checkBookRow } from '../../domain/payment-file/check-book-row.ts';
import { cellsOf } from '../../domain/payment-file/fill-from-book.ts';
import type { RawRow } from '../../domain/payment-file/raw-row.ts';
import { addProblems, noProblems } from '../../domain/payment-file/row-problem.ts';
import type { BeneficiaryDetails } from '../../domain/payments/payment-instruction.ts';
import { csvPieces } from '../payment-file/csv-pieces.ts';
import type { FileContent } from '../payment-file/file-content.ts';
import { UnreadableFile } from '../payment-file/file-problem.ts';
import { openTable } from '../payment-file/open-payment-file.ts';
import { proposeReading } from '../payment-file/propose-reading.ts';
import { readRows } from '../payment-file/read-rows.ts';
import { escapeFormula, unescapeFormula } from '../payment-file/spreadsheet-text.ts';
import type { SheetLimits } from '../sheets/sheet.ts';

/** The book of beneficiaries as a file: a CSV that is written, and sheets of any form that are read. */

/** At once: they are confirmed by a person. */
export const MAX_BOOK_LINES = 5_000;

export interface BookFile {
  file: FileContent;
  /** How it is read. Null: as its headers and cells suggest, if they leave nothing to decide. */
  profile: Profile | null;
  reading: WantedReading;
}

export type ReadBook = { kind: 'read'; lines: BookLine[] } | ({ kind: 'refused' } & FileProblems);

/** Lines with problems refuse all of them. Throws UnreadableFile for what is no table, or does not say how it is read. */
export async function readBookFile({ file, profile, reading }: BookFile, limits: SheetLimits): Promise<ReadBook> {
  const { proposal } = await proposeReading(
    { file, profile, known: [], wanted: reading, use: 'beneficiaries' },
    limits,
  );
  if (proposal.missingColumns.length > 0) throw missing(proposal.missingColumns);
  const opened = await openTable({ file, profile: proposal.profile, rowNumbers: null }, limits);
  const isExport = isBookExport(opened.table.headers);
  const lines: BookLine[] = [];
  const problems = noProblems();
  for await (const rows of readRows(opened)) {
    for (const row of rows) {
      const checked = checkBookRow(isExport ? withoutMarks(row) : row);
      addProblems(problems, checked.problems);
      if (checked.line !== null) lines.push(checked.line);
    }
    if (lines.length > MAX_BOOK_LINES) throw tooMany();
  }
  if (problems.count > 0) return { kind: 'refused', problems: problems.listed, problemCount: problems.count };
  return { kind: 'read', lines };
}

/** A header, then pages of lines. Texts that spreadsheets run as formulas are marked. */
export function bookCsv(
  lines: Iterable<ExportedLine> | AsyncIterable<ExportedLine>,
): AsyncGenerator<string, void, undefined> {
  return csvPieces(BOOK_COLUMNS, lines, ({ key, details }) => {
    const cells = { ...cellsOf(details), beneficiary_key: key };
    return BOOK_COLUMNS.map((name) => escapeFormula(cells[name] ?? ''));
  });
}

export interface ExportedLine {
  key: string;
  details: BeneficiaryDetails;
}

/** Whether a sheet has the columns of an export, all of them and no other: in any other sheet an apostrophe is part of its cell. */
function isBookExport(headers: readonly string[]): boolean {
  const names = new Set(headers.map(headerKey));
  return headers.length === BOOK_COLUMNS.length && BOOK_COLUMNS.every((name) => names.has(name));
}

function withoutMarks(row: RawRow): RawRow {
  const cells = Object.entries(row.cells).map(([name, text]) => [name, unescapeFormula(text)]);
  return { ...row, cells: Object.fromEntries(cells) as RawRow['cells'] };
}

function missing(columns: readonly string[]): UnreadableFile {
  return new UnreadableFile(
    { line: 1, column: columns[0] ?? '' },
    'missing_columns',
    `nothing fills ${columns.join(', ')}, which each account of the book has`,
    'name the columns of the sheet so, or say which of them they are: in the console, or by a profile of payrun prepare --for-book',
  );
}

function tooMany(): UnreadableFile {
  return new UnreadableFile(
    { line: 0 },
    'too_many_rows',
    `the sheet has more than ${MAX_BOOK_LINES} accounts`,
    'split it: each account is confirmed by a person',
  );
}
