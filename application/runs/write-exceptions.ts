import { EXCEPTION_COLUMNS } from '../../domain/payment-file/csv-columns.ts';
import { csvPieces } from '../payment-file/csv-pieces.ts';
import type { FileHeader } from '../../store/runs/runs.ts';
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
 * corrected file is submitted again. What a spreadsheet would run as a formula gets an apostrophe, which the reader removes.
 */
export async function* writeExceptions(
  header: FileHeader,
  lines: Iterable<ExceptionLine> | AsyncIterable<ExceptionLine>,
): AsyncGenerator<string, void, undefined> {
  // Spreadsheets need the mark to read accents: a file that came with it is written with it.
  if (header.hasByteOrderMark) yield BYTE_ORDER_MARK;
  yield* csvPieces([...header.names.map(escapeFormula), ...EXCEPTION_COLUMNS], lines, ({ cells, status, reason }) => [
    ...cells.map(escapeFormula),
    withoutFormula(status),
    withoutFormula(reason),
  ]);
}
