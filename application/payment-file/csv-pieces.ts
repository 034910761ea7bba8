import { stringify } from 'csv-stringify/sync';

/** Rows to one piece: enough that the writer's own start-up does not count, few enough to stay small in memory. */
const ROWS_PER_PIECE = 250;

/** CSV text of the header and the rows, in pieces that end with a line. Cells with commas, quotes or breaks are quoted. */
export async function* csvPieces<Row>(
  header: readonly string[],
  rows: Iterable<Row> | AsyncIterable<Row>,
  cellsOf: (row: Row) => string[],
): AsyncGenerator<string, void, undefined> {
  let piece: string[][] = [[...header]];
  for await (const row of rows) {
    piece.push(cellsOf(row));
    if (piece.length < ROWS_PER_PIECE) continue;
    yield stringify(piece);
    piece = [];
  }
  if (piece.length > 0) yield stringify(piece);
}
