import { EXCEPTION_COLUMNS } from '../../domain/payment-file/csv-columns.ts';

/** Whether a header is one of the two that payrun adds to exceptions.csv. */
export function isExceptionColumn(name: string): boolean {
  return (EXCEPTION_COLUMNS as readonly string[]).includes(name.trim().toLowerCase());
}

/**
 * Whether the headers are those of an exceptions.csv, which has both columns: payrun added apostrophes to its cells. In any other
 * file an apostrophe is part of its cell.
 */
export function isExceptionsHeader(names: readonly string[]): boolean {
  return new Set(names.filter(isExceptionColumn).map((name) => name.trim().toLowerCase())).size === 2;
}
