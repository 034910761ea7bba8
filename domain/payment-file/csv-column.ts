/** The part of the payment or of the provider's beneficiary that a column fills. */
export type ColumnPart = 'payment' | 'beneficiary' | 'bankAccount' | 'intermediaryBank';

/**
 * When a column must be filled: in every row; in every row that describes its beneficiary instead of naming one by id;
 * when the provider's requirements for the currency and countries ask for it; or never.
 */
export const COLUMN_NEEDS = ['always', 'with_details', 'by_requirements', 'optional'] as const;
type ColumnNeed = (typeof COLUMN_NEEDS)[number];

/** One column of the payment file. `field` is its name in a payment instruction or in the provider's API. */
export interface CsvColumn {
  name: string;
  part: ColumnPart;
  field: string;
  need: ColumnNeed;
  /** It tells one payment from another, or decides who gets how much: one value for many rows would send them all to one account. */
  identifies: boolean;
  example: string;
  description: string;
}
