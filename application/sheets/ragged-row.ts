import { UnreadableFile } from '../payment-file/file-problem.ts';

/** A row of CSV that has another number of cells than the header: they may be those of other columns. */
export function raggedRow(cells: number, columns: number, line: number): UnreadableFile {
  return new UnreadableFile(
    { line },
    'ragged_row',
    `the line has ${cells} cells, but the header has ${columns}`,
    cells > columns
      ? 'put cells that have the delimiter in them, such as a comma, into quotes, and remove cells after the last column'
      : 'give every line as many cells as the header, including empty ones',
  );
}
