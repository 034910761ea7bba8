import { CSV_COLUMNS, detailColumn, type PaymentColumn } from '../payment-file/csv-columns.ts';
import type { ProposedColumn } from './candidate.ts';
import { type Profile, withColumns } from './profile.ts';

/** What rows of a sheet are: payments, or accounts for the book of beneficiaries. */
export const SHEET_USES = ['payments', 'beneficiaries'] as const;
export type SheetUse = (typeof SHEET_USES)[number];

/** Whether a line of the book has the column: its key, and all that describes the beneficiary and its account. */
export function isBookColumn(name: PaymentColumn): boolean {
  return name === 'beneficiary_key' || detailColumn(name) !== null;
}

export const BOOK_COLUMNS: readonly PaymentColumn[] = CSV_COLUMNS.map(({ name }) => name).filter(isBookColumn);

/** What each line of the book has. */
export const BOOK_NEEDS: readonly PaymentColumn[] = CSV_COLUMNS.filter(
  ({ name, need }) =>
    name === 'beneficiary_key' || name === 'bank_currency' || (isBookColumn(name) && need === 'with_details'),
).map(({ name }) => name);

/** The profile with the columns of the book alone. A currency that it has for payments is that of the account. */
export function profileForBook(profile: Profile): Profile {
  const { buy_currency: currency } = profile.columns;
  const others = Object.keys(profile.columns).filter((name) => !isBookColumn(name as PaymentColumn));
  return withColumns(profile, {
    ...Object.fromEntries(others.map((name) => [name, null])),
    ...(profile.columns.bank_currency === undefined && currency !== undefined ? { bank_currency: currency } : {}),
  });
}

/** What may fill the columns of the book. Its key is decided where one header alone is called so: a line without it is refused. */
export function columnsForBook(columns: readonly ProposedColumn[]): ProposedColumn[] {
  const hasCurrency = columns.some(({ column }) => column === 'bank_currency');
  return columns
    .map((each) =>
      each.column === 'buy_currency' && !hasCurrency ? { ...each, column: 'bank_currency' as const } : each,
    )
    .filter(({ column }) => isBookColumn(column))
    .map((each) => (each.column === 'beneficiary_key' ? { ...each, isDecided: each.candidates.length === 1 } : each));
}
