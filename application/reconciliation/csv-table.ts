import { csvPieces } from '../payment-file/csv-pieces.ts';
import { withoutFormula } from '../payment-file/spreadsheet-text.ts';

/** One table: its columns in order, and what a row has in each. Scripts rely on both. */
export type Columns<Row> = readonly (readonly [header: string, cellOf: (row: Row) => string | number | null])[];

export function csvTable<Row>(columns: Columns<Row>, rows: Iterable<Row>): AsyncGenerator<string, void, undefined> {
  return csvPieces(
    columns.map(([header]) => header),
    rows,
    (row) => columns.map(([, cellOf]) => withoutFormula(String(cellOf(row) ?? ''))),
  );
}
