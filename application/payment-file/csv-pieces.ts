import { stringify } from 'csv-stringify/sync';
import { withoutFormula } from './spreadsheet-text.ts';

/** Rows per piece: enough to make the start-up cost of the writer negligible, few enough to stay small in memory. */
const ROWS_PER_PIECE = 250;

/** CSV text of the header and the rows, in pieces of whole lines. Cells with commas, quotes or breaks are quoted. */
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

/** One table: its columns in order, and what a row has in each. Scripts rely on both. */
export type Columns<Row> = readonly (readonly [header: string, cellOf: (row: Row) => string | number | null])[];

export function csvTable<Row>(columns: Columns<Row>, rows: Iterable<Row>): AsyncGenerator<string, void, undefined> {
  return csvPieces(
    columns.map(([header]) => header),
    rows,
    (row) => columns.map(([, cellOf]) => withoutFormula(String(cellOf(row) ?? ''))),
  );
}
