import type { PaymentColumn } from '../payment-file/csv-columns.ts';

/** What headers of one meaning are called, by language: lists separated by commas. */
export interface HeaderWords {
  /** The column that such a header fills; null: none of ours. */
  column: PaymentColumn | null;
  /** Columns that it fills as well when no other header does. */
  also?: readonly PaymentColumn[];
  /** One word that many other headers contain: it counts alone, and not inside of another header. */
  onlyAlone?: true;
  /** A header that contains such a word is none of ours, whatever else it contains. */
  excludes?: true;
  words: Readonly<Record<string, string>>;
}
