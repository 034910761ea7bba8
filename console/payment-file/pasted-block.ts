import type { DraftRow } from '../../api/payment-file/draft.ts';
import type { KnownCellEdit } from './draft-edits.ts';

/** A block of cells as spreadsheets copy it, and where it goes. */
export interface PastedBlock {
  cells: readonly KnownCellEdit[];
  /** How many lines it has. */
  lineCount: number;
  /** Lines for which no row is shown any more, each with its cells. */
  linesLeft: readonly (readonly string[])[];
  /** Cells for which there is no column, by their rows. */
  cellsLeft: readonly { row: number; values: readonly string[] }[];
}

/** What goes into which cell, from the cell on that it was pasted in. `rows` and `columns` begin with that one. */
export function pastedBlock(
  text: string,
  rows: readonly Pick<DraftRow, 'row' | 'cells'>[],
  columns: readonly string[],
  columnIndex: number,
): PastedBlock {
  const lines = linesOf(text);
  const targets = columns.slice(columnIndex);
  const cells: KnownCellEdit[] = [];
  const cellsLeft: { row: number; values: string[] }[] = [];
  lines.slice(0, rows.length).forEach((values, index) => {
    const target = rows[index];
    if (target === undefined) return;
    const { row } = target;
    values.slice(0, targets.length).forEach((value, at) => {
      const column = targets[at];
      if (column !== undefined) cells.push({ row, column, value, saved: target.cells[columnIndex + at] ?? '' });
    });
    const left = values.slice(targets.length).filter((value) => value !== '');
    if (left.length > 0) cellsLeft.push({ row, values: left });
  });
  return { cells, lineCount: lines.length, linesLeft: lines.slice(rows.length), cellsLeft };
}

/** Whether it is to be looked at first: the rows that are shown may not be those beside each other, or something is left over. */
export function needsLook({ lineCount, linesLeft, cellsLeft }: PastedBlock, isFiltered: boolean): boolean {
  return (isFiltered && lineCount > 1) || linesLeft.length > 0 || cellsLeft.length > 0;
}

/** Lines of cells. A cell of several lines, or with quotes, stands between quotes that are doubled within it. */
function linesOf(text: string): string[][] {
  const lines: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/gy;
  for (;;) {
    const found = cell.exec(text);
    if (found === null) break;
    const [, quoted, plain = '', end] = found;
    lines.at(-1)?.push((quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim());
    if (end === '') break;
    if (end !== '\t') lines.push([]);
  }
  // A block ends with the end of its last line.
  if (lines.length > 1 && lines.at(-1)?.every((value) => value === '') === true) lines.pop();
  return lines;
}
