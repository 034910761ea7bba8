import {
  detailColumn,
  EXCEPTION_COLUMNS,
  isPaymentColumn,
  type PaymentColumn,
  namesBeneficiary,
} from '../payment-file/csv-columns.ts';
import { headerKey, nameHeaders } from './headers.ts';
import { isOwnAmountForm, OWN_AMOUNT_FORM, OWN_DATE_FORM } from './forms.ts';
import { type ColumnSource, columnsOf, type Profile, profileSchema } from './profile.ts';

/** The profile of a file whose headers are all ours, or those that exceptions.csv adds; else null. */
export function ownFormatProfile(
  headers: readonly string[],
  constants: Readonly<Partial<Record<PaymentColumn, string>>> = {},
): Profile | null {
  const names = nameHeaders(headers);
  const ignored = names.filter((name) => (EXCEPTION_COLUMNS as readonly string[]).includes(headerKey(name)));
  const filled = names.filter((name) => !ignored.includes(name));
  if (!filled.every((name) => isPaymentColumn(headerKey(name)))) return null;
  const columns: Record<string, { from?: string[]; constant?: string }> = {};
  for (const [column, constant] of Object.entries(constants)) columns[column] = { constant };
  for (const name of filled) columns[headerKey(name)] = { ...columns[headerKey(name)], from: [name] };
  return profileSchema.parse({
    name: 'Columns of payrun',
    headers: names,
    ignored,
    columns,
    amountForm: OWN_AMOUNT_FORM,
    dateForm: OWN_DATE_FORM,
  });
}

/** They say how much somebody gets, whoever that is. */
const MONEY: readonly string[] = ['amount', 'amount_side', 'buy_currency'];

/** The columns of the beneficiary, of the bank and of the amount that the profile fills. */
export function decidingColumns(profile: Profile): ReturnType<typeof columnsOf> {
  return columnsOf(profile).filter(({ column }) => decidesWhoGetsWhat(column));
}

export function decidesWhoGetsWhat(column: PaymentColumn): boolean {
  return namesBeneficiary(column) || detailColumn(column) !== null || MONEY.includes(column);
}

/**
 * Whether the profile decides who is paid, or how much: it fills such a column with something else than the cell below this very
 * name. Then a second person confirms it.
 */
export function decidesPayees(profile: Profile): boolean {
  return decidingColumns(profile).some(
    ({ column, source }) =>
      !(isAsWritten(column, source) && (column !== 'amount' || isOwnAmountForm(profile.amountForm))),
  );
}

/** The cell below our own header, with no step but blanks around it taken away. */
function isAsWritten(column: PaymentColumn, source: ColumnSource): boolean {
  const { from, part, strip, capitals, translate, prefix, constant } = source;
  const [only = ''] = from;
  const isChanged = part !== null || strip.length > 0 || capitals || Object.keys(translate).length > 0 || prefix !== '';
  return from.length === 1 && headerKey(only) === column && !isChanged && constant === null;
}
