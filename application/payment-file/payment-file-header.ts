import { closestName } from '../../domain/closest-name.ts';
import {
  REQUIRED_COLUMNS,
  CSV_COLUMNS,
  isPaymentColumn,
  type PaymentColumn,
} from '../../domain/payment-file/csv-columns.ts';
import type { Cells } from '../../domain/payment-file/raw-row.ts';
import { isExceptionColumn } from './exceptions-file.ts';
import { UnreadableFile } from './file-problem.ts';

/** The header of a payment file: enough to write rows back as they came. Plain JSON. */
export interface PaymentFileHeader {
  /** The headers as written, in order. */
  names: string[];
  /** The column of each; null: not read. */
  columns: (PaymentColumn | null)[];
  hasByteOrderMark: boolean;
}

/** Their header → our column; an empty text leaves their column out. */
export type HeaderMapping = Readonly<Record<string, string>>;

/** The column of each header. Throws UnreadableFile for the first one that cannot be used. */
export function readHeader(
  names: readonly string[],
  line: number,
  given: { mapping: HeaderMapping; defaults: Cells },
): (PaymentColumn | null)[] {
  const mapping = readMapping(given.mapping);
  const seen = new Map<PaymentColumn, number>();
  const columns = names.map((name, index) => {
    const column = columnOf(name.trim(), index, line, mapping);
    if (column === null) return null;
    const before = seen.get(column);
    if (before !== undefined) throw repeated(name, column, before, line);
    seen.set(column, index);
    return column;
  });
  const missing = REQUIRED_COLUMNS.filter((column) => !seen.has(column) && given.defaults[column] === undefined);
  if (missing.length > 0) {
    throw new UnreadableFile(
      { line, column: missing[0] ?? '' },
      'missing_columns',
      `the file has no column ${missing.join(', ')}`,
      'add what is missing, map one of your headers to it, or give it as a run default',
    );
  }
  return columns;
}

function columnOf(
  name: string,
  index: number,
  line: number,
  mapping: ReadonlyMap<string, PaymentColumn | null>,
): PaymentColumn | null {
  if (name === '') {
    throw new UnreadableFile(
      { line },
      'empty_header',
      `column ${index + 1} has no header`,
      'name the column, or delete it',
    );
  }
  const mapped = mapping.get(name);
  if (mapped !== undefined) return mapped;
  const own = name.toLowerCase();
  if (isPaymentColumn(own)) return own;
  if (isExceptionColumn(own)) return null;
  const suggestion = closestName(name, COLUMN_NAMES);
  throw new UnreadableFile(
    { line, column: name.slice(0, 80) },
    'unknown_header',
    'the file has a column that payrun does not know',
    suggestion === null
      ? 'map it to one of our columns, or to nothing to leave it out'
      : `did you mean ${suggestion}? Else map it to one of our columns, or to nothing to leave it out`,
  );
}

function repeated(name: string, column: PaymentColumn, before: number, line: number): UnreadableFile {
  return new UnreadableFile(
    { line, column: name.trim().slice(0, 80) },
    'repeated_header',
    `the file has ${column} twice, the first time as column ${before + 1}`,
    'keep one of them',
  );
}

function readMapping(mapping: HeaderMapping): Map<string, PaymentColumn | null> {
  const read = new Map<string, PaymentColumn | null>();
  for (const [theirs, ours] of Object.entries(mapping)) {
    const target = ours.trim();
    if (target !== '' && !isPaymentColumn(target)) {
      const suggestion = closestName(target, COLUMN_NAMES);
      throw new UnreadableFile(
        { line: 0, column: theirs.slice(0, 80) },
        'unknown_mapping',
        'the mapping names a column that does not exist',
        suggestion === null ? 'map it to one of our columns' : `did you mean ${suggestion}?`,
      );
    }
    read.set(theirs.trim(), target === '' ? null : target);
  }
  return read;
}

const COLUMN_NAMES = CSV_COLUMNS.map((column) => column.name);
