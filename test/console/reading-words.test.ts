import { exampleAmount, exampleDate } from '../../domain/import-profiles/profile-in-words.ts';
import { expect, test } from 'vitest';
import { samplesInWords, stepsInWords, suggestionsOf } from '../../console/payment-file/reading-words.ts';
import { NOTHING } from '../../domain/import-profiles/proposed-source.ts';
import { CSV_COLUMNS, type PaymentColumn } from '../../domain/payment-file/csv-columns.ts';

test('a form is shown as an amount or a day that is written in it', () => {
  expect(exampleAmount({ decimalSign: ',', groupSeparator: '.' })).toBe('1.234,56');
  expect(exampleAmount({ decimalSign: '.', groupSeparator: '' })).toBe('1234.56');
  expect(exampleDate({ order: 'dmy', yearDigits: 4 })).toBe('31.12.2026');
  expect(exampleDate({ order: 'mdy', yearDigits: 2 })).toBe('12/31/26');
});

test('cells are shown with what they would be read as', () => {
  const rows = [
    { cell: '1.250', read: '1250' },
    { cell: '9,5', read: null },
  ];
  expect(samplesInWords(rows)).toBe('“1.250” is 1250, “9,5” is not read');
});

test('what is done with the cells is said', () => {
  expect(
    stepsInWords({ ...NOTHING, strip: ['blanks', 'label'], capitals: true, translate: { Firma: 'company' } }),
  ).toEqual(['without blanks and a label before it', 'in capitals', '“Firma” means company']);
});

test('texts are offered where the table of columns names them, with what they mean', () => {
  const offered = (name: PaymentColumn) => suggestionsOf(CSV_COLUMNS.find((column) => column.name === name)!);
  expect(offered('amount_side')).toEqual([
    { text: 'buy', meaning: 'what the beneficiary gets' },
    { text: 'sell', meaning: 'what you spend' },
  ]);
  expect(offered('purpose_of_transfer')[0]).toEqual({ text: 'SUPP', meaning: 'supplier payment' });
  expect(offered('beneficiary_entity_type').map(({ text }) => text)).toEqual(['company', 'individual']);
  expect(offered('funding_source').map(({ text }) => text)).toEqual(['COMPANY_BANK_ACCOUNT']);
  const offering = CSV_COLUMNS.filter((column) => suggestionsOf(column).length > 0).map(({ name }) => name);
  expect(offering).toEqual([
    'amount_side',
    'purpose_of_transfer',
    'funding_source',
    'funding_method',
    'payment_channel',
    'beneficiary_entity_type',
    'beneficiary_type',
  ]);
});
