import { describe, expect, test } from 'vitest';
import { profileChanges } from '../../../domain/import-profiles/profile-changes.ts';
import { isOwnFormat, profileHash } from '../../../domain/import-profiles/profile-hash.ts';
import { ownFormatProfile } from '../../../domain/import-profiles/own-format.ts';
import { forNextRun, profileSchema, type ProfileInput, withColumns } from '../../../domain/import-profiles/profile.ts';
import { CSV_COLUMNS } from '../../../domain/payment-file/csv-columns.ts';

const SHEET: ProfileInput = {
  name: 'Payroll',
  headers: ['No', 'Pay', 'IBAN', 'Team'],
  ignored: ['Team'],
  columns: {
    row_ref: { from: ['No'] },
    amount: { from: ['Pay'] },
    bank_iban: { from: ['IBAN'] },
    buy_currency: { constant: 'EUR' },
    payment_reference: { constant: 'Salary November' },
  },
  amountForm: { decimalSign: ',', groupSeparator: '.' },
};
const sheet = profileSchema.parse(SHEET);
const with_ = (changes: Parameters<typeof withColumns>[1]) => withColumns(sheet, changes);

describe('what is confirmed of a profile', () => {
  test('is not the text that beneficiaries read, nor one that nobody is paid by', () => {
    const other = with_({ payment_reference: { constant: 'Salary December' }, echo: { constant: 'x' } });
    expect(profileHash(other)).toBe(profileHash(sheet));
    expect(profileChanges(sheet, other)).toEqual([]);
    expect(profileHash(with_({ payment_reference: { from: ['Team'], constant: 'Salary' } }))).not.toBe(
      profileHash(sheet),
    );
  });

  test.each(CSV_COLUMNS.filter(({ part }) => part !== 'payment').map(({ name }) => name))(
    'is each text of a beneficiary or bank: %s',
    (column) => {
      expect(profileHash(with_({ [column]: { constant: 'x' } }))).not.toBe(profileHash(sheet));
    },
  );

  test.each(['amount_side', 'buy_currency', 'sell_currency'] as const)(
    'is each text that says how much: %s',
    (column) => {
      expect(profileHash(with_({ [column]: { constant: 'x' } }))).not.toBe(profileHash(sheet));
    },
  );

  test('is how dates are written where the sheet has days of payments', () => {
    const dateForm = { order: 'mdy', yearDigits: 4 } as const;
    const withDays = with_({ pay_on: { from: ['Team'] } });
    expect(profileHash({ ...sheet, dateForm })).toBe(profileHash(sheet));
    expect(profileHash({ ...withDays, dateForm })).not.toBe(profileHash(withDays));
  });

  test('does not make a file of our columns out of one with a text for every row', () => {
    const headers = ['row_ref', 'amount'];
    expect(isOwnFormat(ownFormatProfile(headers)!)).toBe(true);
    expect(isOwnFormat(ownFormatProfile(headers, { payment_reference: 'Salary' })!)).toBe(false);
  });
});

test('of a changed profile only what differs is said, with what was before', () => {
  const changed = {
    ...with_({ amount: null, bank_iban: { from: ['IBAN'], capitals: true }, bank_name: { constant: 'Bank' } }),
    amountForm: { decimalSign: '.', groupSeparator: '' } as const,
    reading: { ...sheet.reading, sheetName: 'December' },
  };
  expect(profileChanges(sheet, changed)).toEqual([
    { column: 'amount', from: null, before: '"Pay"' },
    { column: 'bank_name', from: '"Bank" in every row', before: null },
    { column: 'bank_iban', from: '"IBAN", cleaned in another way', before: '"IBAN"' },
    { column: 'amounts', from: '1234.56', before: '1.234,56' },
    { column: 'sheet', from: '"December"', before: null },
  ]);
});

test('a text that beneficiaries read is asked for again, unless the sheet says it', () => {
  expect(forNextRun(sheet).columns).not.toHaveProperty('payment_reference');
  expect(forNextRun(sheet).columns.buy_currency).toEqual(sheet.columns.buy_currency);
  const fromSheet = with_({ payment_reference: { from: ['Team'], constant: 'Salary' } });
  expect(forNextRun(fromSheet)).toEqual(fromSheet);
});
