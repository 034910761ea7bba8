import { BANK_COLUMNS } from './bank-columns.ts';
import { BENEFICIARY_COLUMNS } from './beneficiary-columns.ts';
import type { ColumnPart, CsvColumn } from './csv-column.ts';
import { PAYMENT_COLUMNS } from './payment-columns.ts';

/** Every column of a payment file, in the order of templates, guides and error lists. */
export const CSV_COLUMNS = [...PAYMENT_COLUMNS, ...BENEFICIARY_COLUMNS, ...BANK_COLUMNS] as const;

export type PaymentColumn = (typeof CSV_COLUMNS)[number]['name'];

/** Columns that exceptions.csv has beside the file's own; a reader skips them when such a file is submitted again. */
export const EXCEPTION_COLUMNS = ['payrun_status', 'payrun_reason'] as const;

/** A column and where it stands in the table, from 0. */
type PlacedColumn = CsvColumn & { name: PaymentColumn; position: number };

const byName: ReadonlyMap<string, PlacedColumn> = new Map<string, PlacedColumn>(
  CSV_COLUMNS.map((column, position) => [column.name, { ...column, position }]),
);

const byField = new Map<string, PaymentColumn>(
  CSV_COLUMNS.map((column) => [`${column.part}.${column.field}`, column.name]),
);

export function isPaymentColumn(name: string): name is PaymentColumn {
  return byName.has(name);
}

/** Where a column stands in the table, from 0; a name that is no column comes after all of them. */
export function columnPosition(name: string): number {
  return byName.get(name)?.position ?? CSV_COLUMNS.length;
}

/** The column that fills a field of the provider's beneficiary, or null when there is none. */
export function columnOfField(part: ColumnPart, field: string): PaymentColumn | null {
  return byField.get(`${part}.${field}`) ?? null;
}

/** Columns that every row must fill, itself or by a default for the whole run. */
export const ALWAYS_NEEDED_COLUMNS: readonly PaymentColumn[] = CSV_COLUMNS.filter(
  (column) => column.need === 'always',
).map((column) => column.name);

/** The entry of a column that describes a beneficiary (as against naming one by `beneficiary_id`), or null. */
export function detailColumn(name: PaymentColumn): CsvColumn | null {
  const column = byName.get(name);
  return column === undefined || column.part === 'payment' || name === 'beneficiary_id' ? null : column;
}
