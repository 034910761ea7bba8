import { EXCEPTION_COLUMNS } from '../../domain/payment-file/csv-columns.ts';
import { escapeFormula, unescapeFormula } from './spreadsheet-text.ts';

/** Whether a header is one of the two that payrun adds to exceptions.csv. */
export function isExceptionColumn(name: string): boolean {
  return (EXCEPTION_COLUMNS as readonly string[]).includes(name.trim().toLowerCase());
}

/**
 * The records of a payment file, its header first, without the apostrophes that payrun added, if the file is an
 * exceptions.csv, which has both extra columns. In any other file an apostrophe is part of its cell.
 */
export function withoutFormulaMarks(records: string[][]): string[][] {
  return isExceptionsFile(records) ? records.map((cells) => cells.map(unescapeFormula)) : records;
}

/** Reverses it, for records that are written as a file again. */
export function withFormulaMarks(records: string[][]): string[][] {
  return isExceptionsFile(records) ? records.map((cells) => cells.map(escapeFormula)) : records;
}

function isExceptionsFile([names = []]: string[][]): boolean {
  return new Set(names.filter(isExceptionColumn).map((name) => name.trim().toLowerCase())).size === 2;
}
