import { identifiesPayments, type PaymentColumn } from '../payment-file/csv-columns.ts';

/** A part of a cell that stands in it plainly: found once, or the row has a problem. And the columns that may take it. */
const CELL_PARTS = {
  iban: ['bank_iban'],
  iban_country: ['bank_country', 'beneficiary_country'],
  bic: ['bank_bic_swift', 'intermediary_bic_swift'],
  before_comma: ['beneficiary_first_name', 'beneficiary_last_name'],
  after_comma: ['beneficiary_first_name', 'beneficiary_last_name'],
  before_last_blank: ['beneficiary_first_name', 'beneficiary_last_name'],
  after_last_blank: ['beneficiary_first_name', 'beneficiary_last_name'],
} as const satisfies Record<string, readonly PaymentColumn[]>;

export type CellPart = keyof typeof CELL_PARTS;
export const CELL_PART_NAMES = Object.keys(CELL_PARTS) as [CellPart, ...CellPart[]];

const PREFIXED: readonly string[] = ['row_ref', 'payment_reference', 'purpose_description', 'echo'];
const READ_BY_FORM: readonly string[] = ['amount', 'pay_on'];

/** The columns that may have a text before what their cells say. */
export const PREFIXED_COLUMNS = PREFIXED.join(', ');

export function columnsOfPart(part: CellPart): readonly string[] {
  return CELL_PARTS[part];
}

/** What a profile may do with the cells of a column, beside taking out what people write into codes. */
export interface ColumnSteps {
  /** Cells of several headers are one text. Not where a cell is read by its form. */
  joins: boolean;
  parts: CellPart[];
  prefixes: boolean;
  /** Not what decides who gets what, which is corrected in the sheet. */
  translates: boolean;
}

export function stepsTakenBy(column: PaymentColumn): ColumnSteps {
  const isByForm = READ_BY_FORM.includes(column);
  return {
    joins: !isByForm,
    parts: CELL_PART_NAMES.filter((part) => columnsOfPart(part).includes(column)),
    prefixes: PREFIXED.includes(column),
    translates: !isByForm && !identifiesPayments(column),
  };
}
