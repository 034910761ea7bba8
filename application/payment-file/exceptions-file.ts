import { EXCEPTION_COLUMNS } from '../../domain/payment-file/csv-columns.ts';
import { unescapeFormula } from './spreadsheet-text.ts';

/** Whether a header is one of the two that payrun adds to exceptions.csv. */
export function isExceptionColumn(name: string): boolean {
  return (EXCEPTION_COLUMNS as readonly string[]).includes(name.trim().toLowerCase());
}

/**
 * The records of a payment file, its header first, without the apostrophes that payrun added, if the file is an
 * exceptions.csv, which has both extra columns. In any other file an apostrophe is part of its cell.
 */
export function withoutFormulaMarks(records: string[][]): string[][] {
  const names = records[0] ?? [];
  const isExceptionsFile = new Set(names.filter(isExceptionColumn).map((name) => name.trim().toLowerCase())).size === 2;
  return isExceptionsFile ? records.map((cells) => cells.map(unescapeFormula)) : records;
}
