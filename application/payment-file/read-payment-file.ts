import type { PaymentColumn } from '../../domain/payment-file/csv-columns.ts';
import type { Cells, RawRow } from '../../domain/payment-file/raw-row.ts';
import type { FileProblem } from '../../domain/payment-file/row-problem.ts';
import { readRunDefaults, withDefaults } from '../../domain/payment-file/run-defaults.ts';
import { csvRecords } from './csv-records.ts';
import { withoutFormulaMarks } from './exceptions-file.ts';
import { UnreadableFile } from './file-problem.ts';
import { type HeaderMapping, type PaymentFileHeader, readHeader } from './payment-file-header.ts';
import { PAYMENT_FILE_LIMITS, type PaymentFileLimits } from './payment-file-limits.ts';

export interface ReadOptions {
  /** Their header → our column; an empty text leaves their column out. */
  mapping?: HeaderMapping;
  /** Columns that are the same for all rows; a row's own cell takes precedence. */
  defaults?: Record<string, string>;
  limits?: Partial<PaymentFileLimits>;
}

export type ReadPaymentFile = { rows: RawRow[]; header: PaymentFileHeader } | { fileProblem: FileProblem };

/**
 * Reads a payment file: UTF-8, commas, quotes doubled inside quotes, one header line, blank lines and rows of empty
 * cells skipped. Every cell stays the text that was written; in exceptions.csv, without the apostrophes that payrun added.
 * A file that cannot be read as a whole gives one problem that says where and what to do; what the cells mean is
 * checked afterwards, row by row.
 */
export function readPaymentFile(bytes: Uint8Array, options: ReadOptions = {}): ReadPaymentFile {
  try {
    return read(bytes, options);
  } catch (error) {
    if (error instanceof UnreadableFile) return { fileProblem: error.fileProblem };
    throw error;
  }
}

function read(bytes: Uint8Array, options: ReadOptions): { rows: RawRow[]; header: PaymentFileHeader } {
  const limits = { ...PAYMENT_FILE_LIMITS, ...options.limits };
  const given = readRunDefaults(options.defaults ?? {});
  if ('problems' in given) throw wrongDefaults(given.problems);
  const { records: all, lines, hasByteOrderMark } = csvRecords(bytes, limits);
  const [names, ...records] = withoutFormulaMarks(all);
  if (names === undefined) throw new UnreadableFile({ line: 1 }, 'empty_file', 'the file is empty', EXPORT_AGAIN);
  const columns = readHeader(names, lines[0] ?? 1, { mapping: options.mapping ?? {}, defaults: given.defaults });
  const rows: RawRow[] = [];
  records.forEach((original, index) => {
    const line = lines[index + 1] ?? 0;
    refuseLongCells(original, names, line, limits);
    const own = cellsOf(original, columns);
    if (own !== null) rows.push({ line, cells: withDefaults(own, given.defaults), original });
  });
  if (rows.length === 0) {
    throw new UnreadableFile({ line: lines[0] ?? 1 }, 'no_rows', 'the file has a header and no rows', EXPORT_AGAIN);
  }
  return { rows, header: { names, columns, hasByteOrderMark } };
}

const EXPORT_AGAIN = 'export it again, with the payments in it';

/** The filled cells by our names, or null for a row without any, as spreadsheets leave below the last one. */
function cellsOf(original: readonly string[], columns: readonly (PaymentColumn | null)[]): Cells | null {
  if (original.every((cell) => cell.trim() === '')) return null;
  const cells: Cells = {};
  columns.forEach((column, index) => {
    const cell = original[index] ?? '';
    if (column !== null && cell.trim() !== '') cells[column] = cell;
  });
  return cells;
}

function refuseLongCells(
  cells: readonly string[],
  names: readonly string[],
  line: number,
  limits: PaymentFileLimits,
): void {
  const long = cells.findIndex((cell) => cell.length > limits.cellCharacters);
  if (long === -1) return;
  throw new UnreadableFile(
    { line, column: (names[long] ?? '').trim() },
    'cell_too_long',
    `a cell is longer than ${limits.cellCharacters} characters`,
    'shorten it; if it is not long, a quote before it is not closed',
  );
}

function wrongDefaults(problems: readonly FileProblem[]): UnreadableFile {
  const [first] = problems;
  const others = problems.slice(1).map((problem) => problem.column ?? '');
  return new UnreadableFile(
    { line: 0, column: first?.column ?? '' },
    first?.code ?? 'unknown_default',
    `${first?.problem ?? 'the run defaults are wrong'}${others.length > 0 ? ` (so are ${others.join(', ')})` : ''}`,
    first?.fix ?? 'fix the defaults',
  );
}
