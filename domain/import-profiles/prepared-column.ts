import type { PaymentColumn } from '../payment-file/csv-columns.ts';
import type { ColumnSource } from './profile.ts';
import type { ReadText } from './read-amount.ts';

/** A column of ours, with the places of its cells in this sheet. */
export interface PreparedColumn {
  column: PaymentColumn;
  source: ColumnSource;
  places: readonly number[];
  steps: (text: string) => ReadText;
}
