import type { CellPart } from '../../../domain/import-profiles/column-steps.ts';
import { describe, expect, it, test } from 'vitest';
import { preparedReader, readerFor } from '../../../domain/import-profiles/read-record.ts';
import { aProfile, aRecord, readAs } from './profiles.ts';

describe('a code', () => {
  const code = { source: { strip: ['blanks', 'dashes', 'dots', 'label'], capitals: true } as const };
  const part = (name: CellPart) => ({ source: { part: name } });

  test.each([
    ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['IBAN: de89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['IBAN DE89370400440532013000', 'DE89370400440532013000'],
    ['DE89\u00a03704\u202f0044 0532 0130 00', 'DE89370400440532013000'],
  ])('%s is read without blanks and label', (cell, iban) => {
    expect(readAs('bank_iban', cell, code)).toBe(iban);
  });

  it('is left as it is where the profile takes nothing out', () => {
    expect(readAs('bank_sort_code', '20-00-00')).toBe('20-00-00');
    expect(readAs('bank_sort_code', '20-00-00', code)).toBe('200000');
    expect(readAs('bank_account_number', ' 00012345 ')).toBe('00012345');
  });

  it('that a workbook shows shortened is read with all of its digits, or refused', () => {
    expect(readAs('bank_account_number', '1.23457E+11', { value: '123456789012' })).toBe('123456789012');
    expect(readAs('bank_account_number', '####', { value: '123456789012' })).toBe('123456789012');
    expect(readAs('bank_account_number', '1.23457E+15', { value: '1234567890123450' })).toBe('scientific_notation');
    expect(readAs('bank_account_number', '1.23457E+11', { value: '123456789012.5' })).toBe('scientific_notation');
    expect(readAs('bank_account_number', '12345678', { value: '12345678' })).toBe('12345678');
  });

  test.each([
    ['Hansebank, IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFFXXX', 'DE89370400440532013000'],
    ['DE89 3704 0044 0532 0130 00 BIC COBA DEFF', 'DE89370400440532013000'],
    ['NL91ABNA0417164300', 'NL91ABNA0417164300'],
    ['FR14 2004 1010 0505 0001 3M02 606 chez Banque', 'FR1420041010050500013M02606'],
    ['DE89 3704 0044 0532 0130 01', 'not_in_text'],
    ['DE89370400440532013000 or NL91ABNA0417164300', 'not_in_text'],
    ['ask Anna', 'not_in_text'],
  ])('an IBAN in "%s"', (cell, read) => {
    expect(readAs('bank_iban', cell, part('iban'))).toBe(read);
  });

  test.each([
    ['IBAN DE89 3704 0044 0532 0130 00, BIC: COBADEFFXXX', 'COBADEFFXXX'],
    ['SWIFT code cobadeff', 'COBADEFF'],
    ['COBADEFF', 'COBADEFF'],
    ['Deutsche Bank', 'not_in_text'],
  ])('a BIC in "%s"', (cell, read) => {
    expect(readAs('bank_bic_swift', cell, part('bic'))).toBe(read);
  });

  it('is the country of an IBAN, or one of two names, where the cell has it once', () => {
    expect(readAs('bank_country', 'DE89 3704 0044 0532 0130 00', part('iban_country'))).toBe('DE');
    expect(readAs('bank_country', 'Germany', part('iban_country'))).toBe('not_in_text');
    expect(readAs('beneficiary_last_name', 'Vogt, Anneke', part('before_comma'))).toBe('Vogt');
    expect(readAs('beneficiary_first_name', 'Vogt, Anneke', part('after_comma'))).toBe('Anneke');
    expect(readAs('beneficiary_first_name', 'Anneke Vogt', part('after_comma'))).toBe('not_in_text');
    expect(readAs('beneficiary_first_name', 'Vogt, Anneke, Dr.', part('after_comma'))).toBe('not_in_text');
    expect(readAs('beneficiary_first_name', ' Anna  Maria Vogt ', part('before_last_blank'))).toBe('Anna  Maria');
    expect(readAs('beneficiary_last_name', 'Anna Maria Vogt', part('after_last_blank'))).toBe('Vogt');
    expect(readAs('beneficiary_last_name', 'Vogt', part('after_last_blank'))).toBe('not_in_text');
  });
});

describe('a translation', () => {
  const countries = { source: { translate: { Germany: 'DE', 'United Kingdom': 'GB' } } };

  test.each([
    ['Germany', 'DE'],
    ['  united   KINGDOM ', 'GB'],
    ['DE', 'DE'],
    ['France', 'not_translated'],
    ['de', 'not_translated'],
  ])('%s', (cell, read) => {
    expect(readAs('beneficiary_country', cell, countries)).toBe(read);
  });
});

describe('row_ref of an ordinary invoice number', () => {
  test.each([
    ['RE 2026/0412', 'RE-2026/0412'],
    ['Rechnung Nr. 4/26 (2)', 'Rechnung-Nr.-4/26-_2_'],
    ['FÜR-12', 'FUR-12'],
    ['#4711', '_4711'],
    ['INV-2026-0412', 'INV-2026-0412'],
    ['A\u200bB', 'A\u200bB'],
  ])('%s', (cell, read) => {
    expect(readAs('row_ref', cell, { source: { replaceLetters: true } })).toBe(read);
  });

  it('is not changed where the profile does not say so, and gets its prefix', () => {
    expect(readAs('row_ref', '#4711')).toBe('#4711');
    expect(readAs('row_ref', '# 4711', { source: { replaceLetters: true, prefix: 'Nov ' } })).toBe('Nov-_-4711');
  });
});

describe('a record', () => {
  const headers = ['Supplier', 'Invoice', 'Country', 'Note', 'Amount'];
  const columns = {
    row_ref: { from: ['Invoice'], replaceLetters: true },
    payment_reference: { from: ['Invoice', 'Supplier'], between: ' / ' },
    beneficiary_company_name: { from: ['Supplier'] },
    bank_account_holder_name: { from: ['Supplier'] },
    beneficiary_country: { from: ['Country'], translate: { Germany: 'DE' }, constant: 'FR' },
    amount: { from: ['Amount'] },
    amount_side: { constant: 'buy' },
    buy_currency: { constant: 'EUR' },
    sell_currency: { constant: 'USD' },
    purpose_of_transfer: { constant: 'SUPP' },
    funding_source: { constant: 'COMPANY_BANK_ACCOUNT' },
    funding_method: { constant: 'PAYNOW' },
  };
  const opened = readerFor(aProfile(headers, columns), headers);
  const read = (cells: string[]) => ('reader' in opened ? opened.reader.read(aRecord(cells, { line: 7 })) : null);

  it('fills several columns from one, one from several, and what is empty from constants', () => {
    expect(read(['Nordlicht GmbH', 'RE 12', '', 'urgent', '1.250,00'])).toEqual({
      cells: {
        row_ref: 'RE-12',
        payment_reference: 'RE 12 / Nordlicht GmbH',
        beneficiary_company_name: 'Nordlicht GmbH',
        bank_account_holder_name: 'Nordlicht GmbH',
        beneficiary_country: 'FR',
        amount: '1250.00',
        amount_side: 'buy',
        buy_currency: 'EUR',
        sell_currency: 'USD',
        purpose_of_transfer: 'SUPP',
        funding_source: 'COMPANY_BANK_ACCOUNT',
        funding_method: 'PAYNOW',
      },
    });
  });

  it('says every problem at once, with its line, header and column, and never a constant instead', () => {
    const result = read(['Nordlicht GmbH', 'RE 12', 'Portugal', '', '12.50']);
    expect(result).toMatchObject({
      problems: [
        { line: 7, rowRef: 'RE-12', header: 'Country', column: 'beneficiary_country', value: 'Portugal' },
        { line: 7, rowRef: 'RE-12', header: 'Amount', column: 'amount', value: '12.50', code: 'not_in_form' },
      ],
    });
    if (result === null || !('readable' in result)) throw new Error('it was read');
    expect(result.readable).not.toHaveProperty('beneficiary_country');
    expect(result.readable).not.toHaveProperty('amount');
    for (const { problem, fix } of result.problems) expect(`${problem} ${fix}`).not.toMatch(/Portugal|12\.50/);
  });

  test.each(['--', 'IBAN: ', 'see annex: '])('takes no constant for "%s", of which the steps leave nothing', (cell) => {
    const strip = ['blanks', 'dashes', 'label'] as const;
    const names = ['IBAN', 'Note'];
    const constant = 'Nordlicht GmbH';
    const columns = { beneficiary_company_name: { from: ['IBAN'], strip: [...strip], constant } };
    const reader = preparedReader(aProfile(names, columns), names);
    expect(reader.read(aRecord([' ', 'x']))).toEqual({ cells: { beneficiary_company_name: constant } });
    expect(reader.read(aRecord([cell, 'x']))).toMatchObject({
      problems: [{ column: 'beneficiary_company_name', code: 'not_in_form' }],
      readable: {},
    });
  });

  it('does not fill a column of which a header is missing', () => {
    const profile = aProfile(['A', 'B'], { echo: { from: ['A', 'B'] }, bank_name: { from: ['B'] } });
    expect(preparedReader(profile, ['B']).read(aRecord(['x']))).toEqual({ cells: { bank_name: 'x' } });
  });

  it('without a filled cell is none', () => {
    expect(read(['', ' ', '', '', '\u00a0'])).toBeNull();
  });

  it('that names its beneficiary by id takes no constants that describe one', () => {
    const profile = aProfile(['Id', 'Name'], {
      beneficiary_id: { from: ['Id'] },
      beneficiary_company_name: { from: ['Name'] },
      bank_country: { constant: 'DE' },
    });
    const reader = preparedReader(profile, ['Id', 'Name']);
    expect(reader.read(aRecord(['ben_1', '']))).toEqual({ cells: { beneficiary_id: 'ben_1' } });
    expect(reader.read(aRecord(['', 'Nordlicht']))).toEqual({
      cells: { beneficiary_company_name: 'Nordlicht', bank_country: 'DE' },
    });
  });
});

describe('a record of a workbook as texts alone', () => {
  const headers = ['Amount', 'Day', 'Note'];
  const constants = { amount_side: { constant: 'buy' }, buy_currency: { constant: 'EUR' } };
  const profile = aProfile(headers, { amount: { from: ['Amount'] }, pay_on: { from: ['Day'] }, ...constants });
  const reader = preparedReader(profile, headers);

  test.each([
    [
      ['1,235 €', '3/4/26', ''],
      ['1234.56', '2026-03-04T12:00:00', null],
    ],
    [
      ['123,45', '27.11.2026', ''],
      ['12345', '27112026', null],
    ],
    [
      ['', '', 'x'],
      ['500', '1', null],
    ],
    [
      ['(5,00)', '27.11.2026', ''],
      ['5', '27', null],
    ],
  ])('%j is read as it was', (cells, values) => {
    const record = aRecord(cells, { values });
    const again = reader.read(aRecord(reader.plain(record)));
    const read = reader.read(record);
    if (read !== null && 'cells' in read) expect(again).toEqual(read);
    else expect(again).toMatchObject({ problems: [{ column: 'pay_on' }, { column: 'amount' }] });
  });
});

describe('a cell of a workbook that fills several columns', () => {
  const headers = ['Day', 'Sum', 'Account'];
  const columns = {
    row_ref: { from: ['Account', 'Day'], between: '-', replaceLetters: true },
    pay_on: { from: ['Day'] },
    amount: { from: ['Sum'] },
    payment_reference: { from: ['Day', 'Sum'] },
    ...{ amount_side: { constant: 'buy' }, buy_currency: { constant: 'EUR' } },
  };
  const reader = preparedReader(aProfile(headers, columns), headers);
  const record = aRecord(['3-Apr', '1,235', '1.23457E+11'], { values: ['2026-04-03', '1234.56', '123456789012'] });

  it('reads alike in the workbook and as texts alone, so that its row keeps its row_ref', () => {
    const read = reader.read(record);
    expect(read).toMatchObject({
      cells: { row_ref: '123456789012-03-04-2026', payment_reference: '03-04-2026 1234,56', pay_on: '2026-04-03' },
    });
    expect(reader.read(aRecord(reader.plain(record)))).toEqual(read);
  });
});

describe('a profile that cannot read a sheet', () => {
  const required = {
    row_ref: { from: ['No'] },
    payment_reference: { from: ['No'] },
    amount: { from: ['Amount'] },
    amount_side: { constant: 'buy' },
    sell_currency: { constant: 'USD' },
    buy_currency: { constant: 'EUR' },
    purpose_of_transfer: { constant: 'SUPP' },
    funding_source: { constant: 'COMPANY_BANK_ACCOUNT' },
    funding_method: { constant: 'PAYNOW' },
  };
  const unusable = (headers: string[], changes = {}) => {
    const opened = readerFor(aProfile(['No', 'Amount'], required, changes), headers);
    return 'unusable' in opened ? opened.unusable : null;
  };

  it('is used in any order of the headers, in any capitals and with marks', () => {
    expect(unusable(['AMOUNT *', ' no\u00a0'])).toBeNull();
  });

  it('says a header that is missing, added or changed', () => {
    expect(unusable(['No', 'Amount', 'IBAN'])?.difference).toEqual({ missing: [], added: ['IBAN'], reordered: false });
    expect(unusable(['No', 'Total'])?.difference).toEqual({ missing: ['Amount'], added: ['Total'], reordered: false });
  });

  it('says a form that is not decided', () => {
    expect(unusable(['No', 'Amount'], { amountForm: null })?.undecided).toEqual(['amount']);
  });

  it('says columns that every row needs', () => {
    const { amount_side: constant, ...without } = required;
    expect(constant).toBeDefined();
    const opened = readerFor(aProfile(['No', 'Amount'], without), ['No', 'Amount']);
    expect(opened).toMatchObject({ unusable: { missingColumns: ['amount_side'] } });
  });
});
