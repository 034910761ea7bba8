import { type Profile, type ProfileInput, profileSchema } from '../../../domain/import-profiles/profile.ts';
import type { PaymentColumn } from '../../../domain/payment-file/csv-columns.ts';
import type { SheetRecord } from '../../../domain/import-profiles/sheet-record.ts';
import { preparedReader } from '../../../domain/import-profiles/read-record.ts';

type Columns = ProfileInput['columns'];

/** A profile of these headers; what no column is filled from is ignored. */
export function aProfile(headers: string[], columns: Columns, changes: Partial<ProfileInput> = {}): Profile {
  const used = new Set(Object.values(columns).flatMap(({ from = [] }) => from));
  const ignored = headers.filter((header) => !used.has(header));
  return profileSchema.parse({
    name: 'Suppliers',
    headers,
    ignored,
    columns,
    amountForm: { decimalSign: ',', groupSeparator: '.' },
    dateForm: { order: 'dmy', yearDigits: 4 },
    ...changes,
  });
}

export function aRecord(cells: string[], changes: Partial<SheetRecord> = {}): SheetRecord {
  return { line: 2, cells, ...changes };
}

/** One cell, read as this column: its text, or the code of its problem. `more` is a cell beside it that fills nothing. */
export function readAs(
  column: PaymentColumn,
  cell: string,
  { source = {}, profile = {}, value = undefined as string | null | undefined, currency = 'EUR', more = '' } = {},
): string {
  const constants =
    column === 'amount' ? { amount_side: { constant: 'buy' }, buy_currency: { constant: currency } } : {};
  const headers = ['Theirs', 'More'];
  const made = aProfile(headers, { [column]: { from: ['Theirs'], ...source }, ...constants }, profile);
  const record = aRecord([cell, more], value === undefined ? {} : { values: [value, null] });
  const read = preparedReader(made, headers).read(record);
  if (read === null) return '';
  return 'cells' in read ? (read.cells[column] ?? '') : read.problems.map(({ code }) => code).join();
}
