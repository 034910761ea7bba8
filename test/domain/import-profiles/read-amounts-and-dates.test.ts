import { describe, expect, it, test } from 'vitest';
import { EVERY_MONTH_NAME } from '../../../domain/import-profiles/month-names.ts';
import { readAs } from './profiles.ts';

const germanForm = { amountForm: { decimalSign: ',', groupSeparator: '.' } } as const;
const englishForm = { amountForm: { decimalSign: '.', groupSeparator: ',' } } as const;
const frenchForm = { amountForm: { decimalSign: ',', groupSeparator: ' ' } } as const;
const swissForm = { amountForm: { decimalSign: '.', groupSeparator: "'" } } as const;
const plainForm = { amountForm: { decimalSign: '.', groupSeparator: '' } } as const;

describe('an amount', () => {
  test.each([
    ['1.234,56', germanForm, '1234.56'],
    ['1234,56', germanForm, '1234.56'],
    ['1.234', germanForm, '1234'],
    ['12.345.678,9', germanForm, '12345678.9'],
    ['1,234.56', englishForm, '1234.56'],
    ['1,234', englishForm, '1234'],
    ['1 234,56', frenchForm, '1234.56'],
    ['1\u00a0234,56', frenchForm, '1234.56'],
    ['1\u202f234\u202f567,00', frenchForm, '1234567.00'],
    ["1'234.56", swissForm, '1234.56'],
    ['1’234.56', swissForm, '1234.56'],
    ['1.234', plainForm, '1.234'],
    ['123456789012.34', plainForm, '123456789012.34'],
    ['0.1', plainForm, '0.1'],
  ])('%s is read exactly', (cell, profile, amount) => {
    expect(readAs('amount', cell, { profile })).toBe(amount);
  });

  test.each([
    ['1,234.56', germanForm],
    ['1234.56', germanForm],
    ['12.34', germanForm],
    ['1.2345', germanForm],
    ['1.234.56', germanForm],
    ['1.234,56', englishForm],
    ['12,50', englishForm],
    ['1,234,5', englishForm],
    ['1,00,000.00', englishForm],
    [',50', germanForm],
    ['12,', germanForm],
    ['1.234,56.', germanForm],
    ['abc', germanForm],
    ['1..234,00', germanForm],
  ])('%s contradicts the form and is refused', (cell, profile) => {
    expect(readAs('amount', cell, { profile })).toBe('not_in_form');
  });

  test.each([
    ['1,234', 'thousands_separator'],
    ['1,5', 'decimal_comma'],
    ['1 234.00', 'thousands_separator'],
    ['٣', 'amount_form'],
    ['.50', 'missing_zero'],
  ])('%s contradicts our own form, and is told as in a file of ours', (cell, code) => {
    expect(readAs('amount', cell, { profile: plainForm })).toBe(code);
  });

  test.each([
    ['-12,00', 'amount_signed'],
    ['(12,00)', 'amount_signed'],
    ['+12,00', 'amount_signed'],
    ['−12,00', 'amount_signed'],
    ['12,00-', 'amount_signed'],
    ['1.234,56 -', 'amount_signed'],
    ['€ -12,00', 'amount_signed'],
    ['(12,00) EUR', 'amount_signed'],
    ['1,25E+03', 'scientific_notation'],
  ])('%s is refused as in a file of our own columns', (cell, code) => {
    expect(readAs('amount', cell, { profile: germanForm })).toBe(code);
  });

  test.each([
    ['€ 12,00', 'EUR', '12.00'],
    ['12,00 €', 'EUR', '12.00'],
    ['EUR 1.234,56', 'EUR', '1234.56'],
    ['12,00 eur', 'EUR', '12.00'],
    ['$12,00', 'USD', '12.00'],
    ['$12,00', 'AUD', '12.00'],
    ['US$ 12,00', 'USD', '12.00'],
    ['12,00 zł', 'PLN', '12.00'],
    ['12,00 kr.', 'SEK', '12.00'],
    ['Fr. 12,00', 'CHF', '12.00'],
    ['US$ 12,00', 'AUD', 'amount_currency'],
    ['£12,00', 'EUR', 'amount_currency'],
    ['12,00 USD', 'EUR', 'amount_currency'],
    ['€ 12,00 USD', 'EUR', 'amount_currency'],
    ['12,00 CR', 'EUR', 'amount_currency'],
    ['ca. 12,00', 'EUR', 'amount_currency'],
  ])('%s in a row in %s', (cell, currency, read) => {
    expect(readAs('amount', cell, { profile: germanForm, currency })).toBe(read);
  });

  it('is read from no text as long as its form is not decided, and from a number is', () => {
    expect(readAs('amount', '12.00', { profile: { amountForm: null } })).toBe('form_undecided');
    expect(readAs('amount', '1.234,5', { profile: { amountForm: null }, value: '1234.5' })).toBe('1234.5');
    expect(readAs('amount', '12.00', { profile: { amountForm: null }, value: null })).toBe('form_undecided');
  });

  test.each([
    ['1,235', '1234.56', '1234.56'],
    ['1.235 €', '1234.56', '1234.56'],
    ['1.234,56 €', '1234.56', '1234.56'],
    ["1'234.56", '1234.56', '1234.56'],
    ['2.67', '2.675', '2.675'],
    ['2.68', '2.675', '2.675'],
    ['00123', '123', '123'],
    ['10.', '10', '10'],
    ['.50', '0.5', '0.5'],
    ['####', '1234.56', '1234.56'],
    ['(1,234.50)', '-1234.5', '-1234.5'],
    ['-', '0', '0'],
    ['27.11.2026', '2026-11-27', '2026-11-27'],
    ['$1,235', '1234.56', 'amount_currency'],
  ])('shown as %s in a workbook that holds %s', (cell, value, read) => {
    expect(readAs('amount', cell, { profile: germanForm, value })).toBe(read);
  });

  test.each([
    ['123.45', '12345'],
    ['123,45', '12345'],
    ['1,234', '1.5'],
    ['-5.00', '5'],
    ['5.00-', '5'],
    ['(5.00)', '5'],
    ['5.00 Mio €', '5'],
    ['Gutschrift 5.00', '5'],
    ['13%', '0.125'],
    ['1235', '1234560'],
    ['100.00', '99999'],
    ['2.66', '2.675'],
    ['12 1/2', '12.5'],
    ['1.23E+05', '123456'],
    ['', '500'],
  ])('shown as "%s" in a workbook that holds %s is refused', (cell, value) => {
    expect(readAs('amount', cell, { profile: germanForm, value, more: 'x' })).toBe('amount_shown_otherwise');
  });
});

describe('a date', () => {
  const dmy = { dateForm: { order: 'dmy', yearDigits: 4 } } as const;
  const mdy = { dateForm: { order: 'mdy', yearDigits: 4 } } as const;
  const ymd = { dateForm: { order: 'ymd', yearDigits: 4 } } as const;
  const short = { dateForm: { order: 'dmy', yearDigits: 2 } } as const;

  test.each([
    ['27.11.2026', dmy, '2026-11-27'],
    ['3/4/2026', dmy, '2026-04-03'],
    ['3/4/2026', mdy, '2026-03-04'],
    ['2026-11-27', ymd, '2026-11-27'],
    ['2026/11/27', ymd, '2026-11-27'],
    ['20261127', ymd, '2026-11-27'],
    ['27112026', dmy, '2026-11-27'],
    ['27.11.26', short, '2026-11-27'],
    ['27. November 2026', dmy, '2026-11-27'],
    ['27 nov. 2026', dmy, '2026-11-27'],
    ['Nov 27, 2026', mdy, '2026-11-27'],
    ['27 de noviembre de 2026', dmy, '2026-11-27'],
    ['1 września 2026', dmy, '2026-09-01'],
    ['27-mrt-2026', dmy, '2026-03-27'],
    ['2026-11-27T00:00:00', ymd, '2026-11-27'],
    ['27.11.2026 00:00', dmy, '2026-11-27'],
    ['29.02.2028', dmy, '2028-02-29'],
  ])('%s is read', (cell, profile, date) => {
    expect(readAs('pay_on', cell, { profile })).toBe(date);
  });

  test.each([
    ['11/27/2026', dmy],
    ['27/11/2026', mdy],
    ['2026-11-27', dmy],
    ['27.11.2026', ymd],
    ['27.11.26', dmy],
    ['27.11.2026', short],
    ['30.02.2026', dmy],
    ['29.02.2026', dmy],
    ['Nov 27, 2026', dmy],
    ['27.11.2026 23:30', dmy],
    ['27.11.', dmy],
    ['46353', dmy],
    ['tomorrow', dmy],
    ['27.11.2026.1', dmy],
  ])('%s contradicts the form and is refused', (cell, profile) => {
    expect(readAs('pay_on', cell, { profile })).toBe('not_in_form');
  });

  it('is read from no text as long as its form is not decided, and from a date of a workbook is', () => {
    expect(readAs('pay_on', '27.11.2026', { profile: { dateForm: null } })).toBe('form_undecided');
    expect(readAs('pay_on', '3/4/26', { profile: { dateForm: null }, value: '2026-03-04' })).toBe('2026-03-04');
    expect(readAs('pay_on', '3/4/26', { profile: dmy, value: '2026-03-04T00:00:00' })).toBe('2026-03-04');
  });

  it('is the day that a workbook holds, with any time, and never what the cell shows', () => {
    expect(readAs('pay_on', '03/04/2026', { profile: dmy, value: '2026-03-04T12:00:00' })).toBe('2026-03-04');
    expect(readAs('pay_on', '27.11.2026', { profile: dmy, value: '27112026' })).toBe('not_in_form');
    expect(readAs('pay_on', '', { profile: dmy, value: '2026-03-04', more: 'x' })).toBe('not_in_form');
  });

  it('never takes one name for two months', () => {
    expect(new Set(EVERY_MONTH_NAME).size).toBe(EVERY_MONTH_NAME.length);
  });
});

describe('the day of a cell of a workbook', () => {
  test.each([
    ...['2026-12-05', '5/12/26', '05.12.2026', '12/5/2026', '5-Dec-26', 'Saturday, December 5, 2026', 'Dec-26'],
    ...['2026-12-05 13:30', '5.12.26 1:30 PM', 'sam. 5 décembre 2026', '2026年12月5日', '5.12.'],
  ])('is read where it is shown: %s', (shown) => {
    expect(readAs('pay_on', shown, { profile: { dateForm: null }, value: '2026-12-05T13:30:00' })).toBe('2026-12-05');
  });

  test.each([
    ...[
      '31.12.2026',
      '05.11.2026',
      '05.12.2027',
      '5.5.2026',
      '5 November 2026',
      '31 Dec 2026',
      '31:12:2026',
      '05.12.2026 1',
    ],
    ...['on request', '5.12.2026.2026', '12.12.2026'],
  ])('is refused where another one is shown: %s', (shown) => {
    expect(readAs('pay_on', shown, { profile: { dateForm: null }, value: '2026-12-05' })).toBe('not_in_form');
  });
});
