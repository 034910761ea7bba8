import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UnreadableFile } from '../../application/payment-file/file-problem.ts';
import { type FileToRead, openPaymentFile } from '../../application/payment-file/open-payment-file.ts';
import { readRows } from '../../application/payment-file/read-rows.ts';
import type { AmountForm } from '../../domain/import-profiles/profile.ts';
import { aRow } from '../../fixtures/payment-rows.ts';
import { amountForm } from '../domain/import-profiles/written-forms.ts';
import { germanProfile } from '../helpers/german-sheet.ts';
import { allOf } from './payment-files.ts';
import { csvBytes } from './sheets/write-sheets.ts';

const name = fc.string({ unit: fc.constantFrom(...Array.from('aBzäöüßéÀ &;,"|\t')), minLength: 1, maxLength: 12 });

const sheet = fc.record({
  names: fc.array(name, { minLength: 1, maxLength: 5 }),
  titles: fc.constantFrom([], [['Lieferanten', '', '', '']], [['Nr', 'Name', 'Konto', 'Summe']]),
  order: fc.constantFrom([0, 1, 2, 3], [3, 1, 0, 2]),
  style: fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    encoding: fc.constantFrom('utf-8', 'utf-16le', 'windows-1252'),
    hasMark: fc.constant(false),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    quotesAll: fc.boolean(),
    hasSeparatorLine: fc.constant(false),
    endsWithLineEnd: fc.boolean(),
  }),
  amountForm,
  /** What the profile leaves to be found. */
  says: fc.record({ encoding: fc.boolean(), delimiter: fc.boolean(), headerLine: fc.boolean() }),
});

async function readOf(file: FileToRead): Promise<unknown> {
  try {
    const batches = await allOf(readRows(await openPaymentFile(file)));
    return batches.flat().map(({ line, cells }) => ({ line, cells }));
  } catch (error) {
    if (error instanceof UnreadableFile) return null;
    throw error;
  }
}

const written = ({ decimalSign }: AmountForm, index: number): string => `1${index}${decimalSign}50`;

test('a sheet that is read by a known profile is read as if the profile were given', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(sheet, async ({ names, titles, order, style, amountForm: form, says }) => {
      const table = [
        ['Rechnungsnr.', 'Empfänger', 'Kontonr.', 'Betrag'],
        ...names.map((cell, index) => [`R-${index}`, cell, `1234567${index}`, written(form, index)]),
      ].map((cells) => order.map((place) => cells[place] ?? ''));
      const file = csvBytes([...titles, ...table], style);
      const given = germanProfile(aRow(1));
      const profile = {
        ...given,
        amountForm: form,
        reading: {
          ...given.reading,
          encoding: says.encoding ? style.encoding : null,
          delimiter: says.delimiter ? style.delimiter : null,
          headerLine: says.headerLine ? titles.length + 1 : null,
        },
      };
      const other = germanProfile(aRow(1), 'Summe');
      const asKnown = await readOf({ file, profile: null, known: [other, profile], rowNumbers: null });
      if (asKnown === null) return;
      found += 1;
      expect(asKnown).toEqual(await readOf({ file, profile, rowNumbers: null }));
    }),
    { seed: 33, numRuns: 500 },
  );
  expect(found).toBeGreaterThan(300);
});
