import { describe, expect, it, test } from 'vitest';
import { findProfiles } from '../../../domain/import-profiles/headers.ts';
import { decidesPayees } from '../../../domain/import-profiles/own-format.ts';
import { canonicalProfile } from '../../../domain/import-profiles/profile-hash.ts';
import { READY_PROFILES, withConstants } from '../../../domain/import-profiles/ready-profiles.ts';
import { readerFor } from '../../../domain/import-profiles/read-record.ts';
import { ROW_REF } from '../../../domain/payment-file/payment-codes.ts';

const ACCOUNT = {
  sell_currency: 'USD',
  amount_side: 'sell',
  purpose_of_transfer: 'IVPT',
  funding_source: 'COMPANY_BANK_ACCOUNT',
  funding_method: 'PAYNOW',
};

/** A file as the product's own template has it: header and one row. */
const FILES: [string, string, object][] = [
  [
    'Supplier list',
    'Supplier;Country;Invoice number;Amount;Currency;Pay on;IBAN;BIC;Bank;Note\n' +
      'Nordlicht GmbH;DE;RE 26/0412;1250.00;EUR;2026-12-01;DE89 3704 0044 0532 0130 00;COBADEFFXXX;Hansebank;x',
    {
      row_ref: 'RE-26/0412',
      payment_reference: 'RE 26/0412',
      amount: '1250.00',
      pay_on: '2026-12-01',
      purpose_of_transfer: 'SUPP',
      bank_iban: 'DE89370400440532013000',
      bank_country: 'DE',
    },
  ],
  [
    'Payroll',
    'Employee number;First name;Last name;Country;Period;Net pay;Currency;Pay date;IBAN;Sort code;Account number;Bank;Bank country\n' +
      '17;Anneke;Vogt;GB;2026-11;2100.50;GBP;2026-11-30;;20-00-00;12345678;Harbour Bank;GB',
    {
      row_ref: '2026-11-17',
      payment_reference: 'Salary 2026-11',
      bank_account_holder_name: 'Anneke Vogt',
      bank_sort_code: '200000',
      amount: '2100.50',
    },
  ],
  [
    'Wise batch payments, IBAN',
    'name;recipientEmail;paymentReference;receiverType;amountCurrency;amount;sourceCurrency;targetCurrency;IBAN\n' +
      'Nordlicht GmbH;;Invoice 12;INSTITUTION;source;351.02;USD;EUR;DE89370400440532013000',
    {
      row_ref: 'Nordlicht-GmbH-Invoice-12',
      amount_side: 'sell',
      buy_currency: 'EUR',
      beneficiary_entity_type: 'company',
      bank_country: 'DE',
    },
  ],
  [
    'Revolut bulk payments',
    'Name;Recipient type;Account number;Sort code or Routing number;IBAN;BIC;Recipient bank country;Currency;Amount;Payment reference;Recipient country;State or province;Address line 1;Address line 2;City;Postal code\n' +
      'Anna Example;INDIVIDUAL;12345678;20-00-00;;;GB;GBP;10;Thanks;GB;;Harbour House;5 Quay Street;London;E14 5AB',
    {
      beneficiary_entity_type: 'individual',
      beneficiary_address: 'Harbour House, 5 Quay Street',
      bank_sort_code: '200000',
      amount: '10',
      amount_side: 'buy',
    },
  ],
  [
    'Qonto bulk transfers',
    'beneficiary_name;iban;amount;currency;reference\nFornitore 1;IT60X0542811101000000123456;123.45;EUR;Fattura 123 del 15/03',
    { row_ref: 'Fornitore-1-Fattura-123-del-15/03', bank_country: 'IT', amount: '123.45' },
  ],
  [
    'Telleroo pay run, United Kingdom',
    'amount_pounds;recipient_name;account_no;sort_code;reference\n1.20;Anna Example;12345678;20-00-00;November',
    { buy_currency: 'GBP', bank_country: 'GB', bank_sort_code: '200000', amount: '1.20' },
  ],
];

describe.each(FILES)('the ready profile "%s"', (name, file, expected) => {
  const [headers = [], cells = []] = file.split('\n').map((line) => line.split(';'));
  const profile = READY_PROFILES.find((each) => each.name === name)!;

  it('is found by the headers of the template, in any order', () => {
    expect(findProfiles(READY_PROFILES, headers.toReversed()).exact).toEqual([profile]);
  });

  it('reads a row of it, with the constants of the account', () => {
    const opened = readerFor(withConstants(profile, ACCOUNT), headers);
    if (!('reader' in opened)) throw new Error(JSON.stringify(opened));
    const read = opened.reader.read({ line: 2, cells });
    expect(read).toMatchObject({ cells: { ...expected, sell_currency: 'USD', funding_method: 'PAYNOW' } });
    if (read === null || !('cells' in read)) throw new Error('it was refused');
    expect(read.cells.row_ref).toMatch(ROW_REF);
  });

  it('is canonical, and confirmed by a second person', () => {
    expect(canonicalProfile(canonicalProfile(profile))).toEqual(canonicalProfile(profile));
    expect(decidesPayees(profile)).toBe(true);
  });
});

test('every ready profile is tried, and has a name of its own', () => {
  expect(FILES.map(([name]) => name)).toEqual(READY_PROFILES.map(({ name }) => name));
  expect(new Set(READY_PROFILES.map(({ name }) => name)).size).toBe(READY_PROFILES.length);
});
