import type { FileHeader } from '../../store/runs/runs.ts';
import { csvPieces } from '../payment-file/csv-pieces.ts';
import { withoutFormula } from '../payment-file/spreadsheet-text.ts';

/**
 * sheet.csv, piece by piece: the headers and cells of the submitted sheet, for whoever compares the run with it. `line`: that of the sheet.
 * What its maker corrected in a draft is in it as it was corrected. Text that a spreadsheet would run as a formula is made plain text.
 */
export function writeSheet(
  { names }: FileHeader,
  lines: AsyncIterable<{ line: number; cells: readonly string[] }>,
): AsyncGenerator<string, void, undefined> {
  return csvPieces(['line', ...names.map(withoutFormula)], lines, ({ line, cells }) => [
    String(line),
    ...cells.map(withoutFormula),
  ]);
}
