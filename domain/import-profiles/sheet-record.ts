/** One row of a sheet that has something in it, as the reader of its file gives it. */
export interface SheetRecord {
  /** As the person's program shows it, from 1: of CSV the line on which the record begins, of XLSX the number of the row. */
  line: number;
  /** As the sheet shows them; of CSV exactly as written. */
  cells: string[];
  /** Of XLSX alone: of a number or date its exact value, such as "1234.56", "2026-11-27" or "2026-11-27T13:30:00"; null: text. */
  values?: (string | null)[];
  /** Of XLSX alone, where a row has one: of a result of a formula the cell and what kind of formula it is, `E5, SUM`; null: none. */
  formulas?: (string | null)[];
  /** Of XLSX alone: the row is hidden or filtered away. */
  hidden?: true;
}
