import type { CellErrorCode } from '../payment-file/cell-problem-codes.ts';
import { REQUIRED_COLUMNS, type PaymentColumn } from '../payment-file/csv-columns.ts';
import type { Cells } from '../payment-file/raw-row.ts';
import { type RowProblem, shownValue } from '../payment-file/row-problem.ts';
import type { CellIssue } from '../payment-file/row-validation.ts';
import { filledWithConstants } from './constants-of-rows.ts';
import { stepsOf } from './cell-steps.ts';
import { compareHeaders, type HeaderDifference, headerKey, isSameHeaders, nameHeaders } from './headers.ts';
import { plainCells } from './plain-cells.ts';
import type { PreparedColumn } from './prepared-column.ts';
import { isShortened, wholeNumber } from './shortened-number.ts';
import { columnsOf, type Profile } from './profile.ts';
import { readAmount, readExactAmount, type ReadText } from './read-amount.ts';
import { readDate, readExactDate } from './read-date.ts';
import type { SheetRecord } from './sheet-record.ts';

/** Always says where in the sheet. */
export interface ReadingProblem extends RowProblem<CellErrorCode> {
  header: string | null;
  partOf: PaymentColumn | null;
}

/** With a problem there is no row to pay: `readable` is what could be read, to be shown and checked alone. */
export type ReadRecord = { cells: Cells } | { problems: ReadingProblem[]; readable: Cells };

/** Why a profile cannot read a sheet at all. */
export interface UnusableProfile {
  difference: HeaderDifference;
  /** Columns that every row needs and the profile does not fill. */
  missingColumns: PaymentColumn[];
  /** Columns whose form is not decided. */
  undecided: ('amount' | 'pay_on')[];
}

export interface RecordReader {
  /** Null for a row without any filled cell. */
  read: (record: SheetRecord) => ReadRecord | null;
  /** The cells as texts alone, which are read alike. */
  plain: (record: SheetRecord) => string[];
  columns: readonly PreparedColumn[];
}

/** Every part that keeps the profile from being used on this sheet, or a reader of its records. */
export function readerFor(
  profile: Profile,
  headers: readonly string[],
): { reader: RecordReader } | { unusable: UnusableProfile } {
  const difference = compareHeaders(profile.headers, headers);
  const missingColumns = REQUIRED_COLUMNS.filter((column) => profile.columns[column] === undefined);
  const undecided = undecidedForms(profile);
  const unusable = { difference, missingColumns, undecided };
  // guard: profile-of-these-headers
  if (!isSameHeaders(difference)) return { unusable };
  // guard: no-undecided-form
  if (undecided.length > 0) return { unusable };
  if (missingColumns.length > 0) return { unusable };
  return { reader: preparedReader(profile, headers) };
}

/** Columns whose cells are read by a form that is not decided. */
export function undecidedForms(profile: Profile): ('amount' | 'pay_on')[] {
  const isRead = (column: PaymentColumn) => (profile.columns[column]?.from.length ?? 0) > 0;
  return [
    ...(profile.amountForm === null && isRead('amount') ? (['amount'] as const) : []),
    ...(profile.dateForm === null && isRead('pay_on') ? (['pay_on'] as const) : []),
  ];
}

/** Reads whatever the profile fills already: to show a profile that is still being made. */
export function preparedReader(profile: Profile, headers: readonly string[]): RecordReader {
  const names = nameHeaders(headers);
  const placeOf = new Map(names.map((name, index) => [headerKey(name), index]));
  const columns = columnsOf(profile).flatMap(({ column, source }): PreparedColumn[] => {
    const places = source.from.flatMap((header) => placeOf.get(headerKey(header)) ?? []);
    // Without one of its headers, it would be another text.
    if (places.length < source.from.length) return [];
    return [{ column, source, places, steps: stepsOf(column, source) }];
  });
  const constants: Cells = {};
  for (const { column, source } of columns) if (source.constant !== null) constants[column] = source.constant;
  return {
    read: (record) => readRecord(profile, { columns, constants, names }, record),
    plain: (record) => plainCells(profile, columns, record),
    columns,
  };
}

interface Prepared {
  columns: readonly PreparedColumn[];
  constants: Cells;
  names: readonly string[];
}

function readRecord(profile: Profile, { columns, constants, names }: Prepared, record: SheetRecord): ReadRecord | null {
  if (record.cells.every((cell) => cell.trim() === '')) return null;
  const read: CellsRead = { own: {}, failed: [] };
  // A cell that fills a date or an amount and a text is the same text here and in a file of exceptions.
  // guard: one-text-of-a-cell
  const cellsAsTexts = plainCells(profile, columns, record);
  const amounts = columns.filter(({ column }) => column === 'amount');
  for (const prepared of columns) {
    const text = joinedCells(prepared, prepared.column === 'pay_on' ? record.cells : cellsAsTexts);
    if (prepared.column === 'amount' || !isFilled(prepared, record, text)) continue;
    take(read, prepared, text, readCell(profile, prepared, record, text));
  }
  // The amount comes last: what may be beside it depends on the currency of the row.
  const { own, failed } = read;
  const currency = amountCurrency(filledWithConstants(own, constants));
  for (const prepared of amounts) {
    const text = joinedCells(prepared, record.cells);
    if (isFilled(prepared, record, text))
      take(read, prepared, text, readAmountCell(profile, prepared, record, { text, currency }));
  }
  const cells = filledWithConstants(own, constants);
  if (failed.length === 0) return { cells };
  // A constant is for empty cells: it never takes the place of one that could not be read.
  const readable: Cells = {};
  for (const column of Object.keys(cells) as PaymentColumn[]) {
    // guard: constant-for-empty-cells
    if (!failed.some(({ prepared }) => prepared.column === column)) readable[column] = cells[column];
  }
  const iban = columns.find(({ column }) => column === 'bank_iban');
  const problems = failed.map((failure) => ({
    ...problemOf(failure, { record, names, cells: readable }),
    partOf: isOfSameIban(failure.prepared, iban) ? ('bank_iban' as const) : null,
  }));
  return { problems, readable };
}

function isOfSameIban({ source, places }: PreparedColumn, iban: PreparedColumn | undefined): boolean {
  return source.part === 'iban_country' && iban !== undefined && String(iban.places) === String(places);
}

interface CellsRead {
  own: Cells;
  failed: { prepared: PreparedColumn; text: string; issue: CellIssue }[];
}

function take({ own, failed }: CellsRead, prepared: PreparedColumn, text: string, result: ReadText): void {
  if (!('text' in result)) failed.push({ prepared, text, issue: result });
  else if (result.text !== '') own[prepared.column] = result.text;
}

/** A cell of a workbook that shows nothing may hold an amount or a date, which no other place says. */
function isFilled({ column, places }: PreparedColumn, { values }: SheetRecord, text: string): boolean {
  const isRead = column === 'amount' || column === 'pay_on';
  return text !== '' || (isRead && places.some((place) => (values?.[place] ?? null) !== null));
}

/** The cells of the column's headers, without blanks around them; empty ones are left out. */
export function joinedCells({ places, source }: PreparedColumn, cells: readonly string[]): string {
  if (places.length === 1) return (cells[places[0] ?? -1] ?? '').trim();
  const filled = places.map((place) => (cells[place] ?? '').trim()).filter((cell) => cell !== '');
  return filled.join(source.between);
}

function readCell(
  profile: Profile,
  { column, places, steps }: PreparedColumn,
  record: SheetRecord,
  text: string,
): ReadText {
  const value = record.values?.[places[0] ?? -1] ?? null;
  if (column === 'pay_on') {
    // guard: day-of-the-value
    if (value !== null) return readExactDate(value, text);
    return readDate(text, profile.dateForm);
  }
  // Of a CSV there is nothing to ask.
  if (record.values !== undefined && places.some((place) => isLost(record, place))) {
    return {
      code: 'scientific_notation',
      problem: `${column} is a number that the workbook shows shortened, so digits may be lost`,
      fix: 'format the column as text, and enter the number again from its document',
    };
  }
  return steps(text);
}

/** Whether digits of the number may be lost. */
function isLost({ cells, values }: SheetRecord, place: number): boolean {
  const held = values?.[place] ?? null;
  const shown = cells[place] ?? '';
  return held !== null && isShortened(shown) && wholeNumber(shown, held) === null;
}

function readAmountCell(
  profile: Profile,
  { places }: PreparedColumn,
  record: SheetRecord,
  { text, currency }: { text: string; currency: string | null },
): ReadText {
  const value = record.values?.[places[0] ?? -1] ?? null;
  if (value !== null) return readExactAmount(value, text, currency);
  return readAmount(text, profile.amountForm, currency);
}

/** Of the side that the amount fixes; null when the row does not say it. */
function amountCurrency(cells: Cells): string | null {
  if (cells.amount_side === 'buy') return cells.buy_currency ?? null;
  return cells.amount_side === 'sell' ? (cells.sell_currency ?? null) : null;
}

function problemOf(
  { prepared, text, issue }: { prepared: PreparedColumn; text: string; issue: CellIssue },
  { record, names, cells }: { record: SheetRecord; names: readonly string[]; cells: Cells },
): Omit<ReadingProblem, 'partOf'> {
  return {
    line: record.line,
    rowRef: cells.row_ref === undefined ? null : shownValue(cells.row_ref),
    column: prepared.column,
    header: names[prepared.places[0] ?? -1] ?? null,
    value: shownValue(text),
    ...issue,
  };
}
