import { EXCEPTION_COLUMNS } from '../../domain/payment-file/csv-columns.ts';
import { csvPieces } from '../payment-file/csv-pieces.ts';
import { isExceptionColumn } from '../payment-file/exceptions-file.ts';
import type { PaymentFileHeader } from '../payment-file/payment-file-header.ts';
import { escapeFormula, withoutFormula } from '../payment-file/spreadsheet-text.ts';

/** A row that was not paid: its cells as they were read, and why. */
export interface ExceptionLine {
  cells: readonly string[];
  status: string;
  reason: string;
}

const BYTE_ORDER_MARK = '\ufeff';

/**
 * exceptions.csv, piece by piece: the input's own header and cells, with two more columns, which are ignored when the
 * corrected file is submitted again. If the input was itself such a file, its old two columns are left out. What a
 * spreadsheet would run as a formula gets an apostrophe, which the reader removes.
 */
export async function* writeExceptions(
  header: Pick<PaymentFileHeader, 'names' | 'hasByteOrderMark'>,
  lines: Iterable<ExceptionLine> | AsyncIterable<ExceptionLine>,
): AsyncGenerator<string, void, undefined> {
  const kept = header.names.map((name) => !isExceptionColumn(name));
  const own = (cells: readonly string[]) => cells.filter((_, index) => kept[index] ?? true).map(escapeFormula);
  // Spreadsheets need the mark to read accents: a file that came with it is written with it.
  if (header.hasByteOrderMark) yield BYTE_ORDER_MARK;
  yield* csvPieces([...own(header.names), ...EXCEPTION_COLUMNS], lines, ({ cells, status, reason }) => [
    ...own(cells),
    withoutFormula(status),
    withoutFormula(reason),
  ]);
}
