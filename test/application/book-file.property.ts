import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bookCsv, readBookFile } from '../../application/beneficiaries/book-file.ts';
import { SHEET_LIMITS } from '../../application/sheets/sheet.ts';
import { BOOK_COLUMNS } from '../../domain/import-profiles/sheet-use.ts';
import { type BookLine, checkBookRow } from '../../domain/payment-file/check-book-row.ts';
import type { Cells } from '../../domain/payment-file/raw-row.ts';

const NEEDED: Cells = {
  beneficiary_entity_type: 'company',
  beneficiary_country: 'GB',
  bank_country: 'GB',
  bank_currency: 'GBP',
  bank_name: 'Example Bank',
  bank_account_holder_name: 'Nordlicht Ltd',
  bank_account_number: '31926819',
};

/** What people write, and what spreadsheets would run or cut. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc
    .array(fc.constantFrom('=', '+', '-', '@', "'", '"', ';', '|', ',', '1', '.', 'e', 'ü', ' ', '＝'), {
      maxLength: 8,
    })
    .map((letters) => letters.join('')),
);
const free = [
  'beneficiary_company_name',
  'beneficiary_address',
  'beneficiary_city',
  'bank_account_holder_name',
  'bank_name',
] as const;

const aLine = fc
  .record({
    key: fc.stringMatching(/^[A-Z0-9][A-Z0-9._/-]{0,20}$/),
    cells: fc.record(Object.fromEntries(free.map((name) => [name, text])), { requiredKeys: [] }),
  })
  .map(({ key, cells }): BookLine | null => {
    const row = { line: 2, cells: { ...NEEDED, ...cells, beneficiary_key: key }, unread: [], original: [] };
    return checkBookRow(row).line;
  })
  .filter((line) => line !== null);

test('any book that is exported is read again as the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aLine, { minLength: 1, maxLength: 10 }), async (lines) => {
      let csv = '';
      for await (const piece of bookCsv(lines)) csv += piece;
      const file = { file: Buffer.from(csv), profile: null, reading: {} };
      expect(await readBookFile(file, SHEET_LIMITS)).toEqual({ kind: 'read', lines });
    }),
    { numRuns: 150, seed: 33 },
  );
});

test('each column of the book is exported, once', () => {
  expect(new Set(BOOK_COLUMNS).size).toBe(BOOK_COLUMNS.length);
  expect(BOOK_COLUMNS).toEqual(expect.arrayContaining([...Object.keys(NEEDED), 'beneficiary_key']));
});
