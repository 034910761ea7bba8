import { BANK_COLUMNS } from './bank-columns.ts';
import { BENEFICIARY_COLUMNS } from './beneficiary-columns.ts';
import type { ColumnPart, CsvColumn } from './csv-column.ts';
import { PAYMENT_COLUMNS } from './payment-columns.ts';

/** Every column of a payment file, in the order of templates, guides and error lists. */
export const CSV_COLUMNS = [...PAYMENT_COLUMNS, ...BENEFICIARY_COLUMNS, ...BANK_COLUMNS] as const;

export type PaymentColumn = (typeof CSV_COLUMNS)[number]['name'];

/** Columns that exceptions.csv adds to those of the file. They are ignored when such a file is submitted again. */
export const EXCEPTION_COLUMNS = ['payrun_status', 'payrun_reason'] as const;

/** A column and its position in the table, from 0. */
type PositionedColumn = CsvColumn & { name: PaymentColumn; position: number };

const byName: ReadonlyMap<string, PositionedColumn> = new Map<string, PositionedColumn>(
  CSV_COLUMNS.map((column, position) => [column.name, { ...column, position }]),
);

const byField = new Map<string, PaymentColumn>(
  CSV_COLUMNS.map((column) => [`${column.part}.${column.field}`, column.name]),
);

export function isPaymentColumn(name: string): name is PaymentColumn {
  return byName.has(name);
}

/** The position of a column in the table, from 0; an unknown name comes after all columns. */
export function columnPosition(name: string): number {
  return byName.get(name)?.position ?? CSV_COLUMNS.length;
}

/** The column that fills a field of the provider's beneficiary, or null when there is none. */
export function columnOfField(part: ColumnPart, field: string): PaymentColumn | null {
  return byField.get(`${part}.${field}`) ?? null;
}

/** Whether rows are expected to differ in a column of the payment file. */
export function identifiesPayments(column: string): boolean {
  return byName.get(column)?.identifies === true;
}

/** Columns that must be filled in every row, by the row itself or by a constant of the profile. */
export const REQUIRED_COLUMNS: readonly PaymentColumn[] = CSV_COLUMNS.filter((column) => column.need === 'always').map(
  (column) => column.name,
);

/** Columns that name a beneficiary: one that the provider has, or one of the book. */
const NAMING_COLUMNS: readonly string[] = ['beneficiary_id', 'beneficiary_key'];

export function namesBeneficiary(column: string): boolean {
  return NAMING_COLUMNS.includes(column);
}

/**
 * Whether a column says which account gets the money. Its text comes from the sheet or is the same for all rows, never one where the other is
 * missing.
 */
export function identifiesAccount(name: string): boolean {
  const column = byName.get(name);
  if (column === undefined) return false;
  const isOfBank = column.part === 'bankAccount' || column.part === 'intermediaryBank';
  // Rows may share an intermediary bank, and still it decides where the money goes.
  return namesBeneficiary(name) || name === 'intermediary_bic_swift' || (isOfBank && column.identifies);
}

/** The entry of a column that describes a beneficiary (instead of naming one), or null. */
export function detailColumn(name: PaymentColumn): CsvColumn | null {
  const column = byName.get(name);
  return column === undefined || column.part === 'payment' || namesBeneficiary(name) ? null : column;
}
