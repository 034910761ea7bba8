import { expect, test } from 'vitest';
import { withColumns } from '../../../domain/import-profiles/profile.ts';
import { proposeProfile } from '../../../domain/import-profiles/propose-profile.ts';
import { preparedReader, readerFor } from '../../../domain/import-profiles/read-record.ts';
import { aReference, checkRows } from '../payment-rows.ts';

const HEADERS = [
  'Lieferant',
  'Rechnungsnr.',
  'Fälligkeit',
  'Betrag',
  'Währung',
  'IBAN',
  'Bank',
  'Land',
  'PLZ',
  'Notiz',
];
const ROWS = [
  [
    'Nordlicht GmbH',
    'RE 26/0412',
    '3.12.2026',
    '1.250,00',
    'EUR',
    'DE89 3704 0044 0532 0130 00',
    'Hansebank',
    'Deutschland',
    '20457',
    '',
  ],
  [
    'Südwind e.K.',
    '# 4711',
    '30.12.2026',
    '99,9',
    'EUR',
    'DE89370400440532013000',
    'Hansebank',
    'DE',
    '01067',
    'eilig',
  ],
  [
    'Südwind e.K.',
    '#-4711',
    '30.12.2026',
    '12.345.678,90 €',
    'EUR',
    'DE89370400440532013000',
    'Hansebank',
    'DE',
    '01067',
    '',
  ],
];
const KNOWN = {
  sell_currency: 'USD',
  amount_side: 'buy',
  purpose_of_transfer: 'SUPP',
  funding_source: 'COMPANY_BANK_ACCOUNT',
  funding_method: 'PAYNOW',
};

test('a wrong IBAN is one problem, also where the countries of bank and beneficiary are taken from it', () => {
  const ofIban = { from: ['Konto'], part: 'iban_country' as const };
  const wrongIn = (cell: string, columns: Parameters<typeof withColumns>[1] = {}) => {
    const headers = ['Konto'];
    const profile = withColumns(
      { ...proposeProfile({ headers, records: [], constants: {} }).profile, headers },
      {
        ...{ bank_iban: { from: ['Konto'] }, bank_country: ofIban, beneficiary_country: ofIban },
        ...{ beneficiary_entity_type: { constant: 'company' }, beneficiary_company_name: { constant: 'Nord' } },
        ...columns,
      },
    );
    const read = preparedReader(profile, headers).read({ line: 2, cells: [cell] });
    if (read === null) throw new Error('the row is empty');
    const row = 'cells' in read ? { cells: read.cells, unread: [] } : { cells: read.readable, unread: read.problems };
    const context = { reference: aReference(), book: new Map(), files: new Map(), today: '2026-11-27' };
    const [checked] = checkRows([{ ...row, line: 2, original: [cell] }], context);
    return checked?.problems.flatMap(({ column }) => (/_iban|_country/.test(column ?? '') ? [column] : []));
  };
  expect(wrongIn('DE89370400440532013000')).toEqual([]);
  expect(wrongIn('DE89370400440532013001')).toEqual(['bank_iban']);
  expect(wrongIn('ask Anna', { bank_iban: { from: ['Konto'], part: 'iban' } })).toEqual(['bank_iban']);
  // Where the IBAN is not of this cell, nothing else says that it is wrong.
  expect(wrongIn('ask Anna', { bank_iban: null })).toEqual(['beneficiary_country', 'bank_country']);
});

test('a sheet of other columns passes the check of rows as if it had ours', () => {
  const records = ROWS.map((cells, index) => ({ line: index + 2, cells }));
  const { profile } = proposeProfile({ headers: HEADERS, records, constants: KNOWN });
  const opened = readerFor(withColumns(profile, { pay_on: { from: ['Fälligkeit'] } }), HEADERS);
  if (!('reader' in opened)) throw new Error(JSON.stringify(opened));
  const rows = records.map((record) => {
    const read = opened.reader.read(record);
    if (read === null || !('cells' in read)) throw new Error(JSON.stringify(read));
    return { line: record.line, cells: read.cells, original: record.cells, unread: [] };
  });
  const context = { reference: aReference(), book: new Map(), files: new Map(), today: '2026-11-27' };
  const checked = checkRows(rows, context);
  expect(checked.map(({ instruction }) => instruction && [instruction.amount, instruction.payOn])).toEqual([
    ['1250.00', '2026-12-03'],
    null,
    null,
  ]);
  // Two invoice numbers that become one row_ref are both refused.
  expect(checked.flatMap(({ problems }) => problems.map(({ line, code }) => [line, code]))).toEqual([
    [3, 'row_ref_repeated'],
    [4, 'row_ref_repeated'],
  ]);
});
