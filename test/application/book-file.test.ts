import { describe, expect, test } from 'vitest';
import { type BookFile, readBookFile } from '../../application/beneficiaries/book-file.ts';
import { UnreadableFile } from '../../application/payment-file/file-problem.ts';
import { SHEET_LIMITS } from '../../application/sheets/sheet.ts';
import { meaningsOfHeader } from '../../domain/import-profiles/header-meanings.ts';
import { sheetOf } from './sheets/make-workbook.ts';

const HEADERS = ['Lieferantennr.', 'Lieferant', 'Land', 'Währung', 'IBAN', 'BIC', 'Bank'];
const ROWS = [
  ['70012', 'Bäckerei Grün GmbH', 'DE', 'EUR', 'DE89 3704 0044 0532 0130 00', 'COBADEFFXXX', 'Commerzbank'],
  ['70013', 'Würth Möbel KG', 'DE', 'EUR', 'DE75 5121 0800 1245 1261 99', 'SOGEDEFFXXX', 'Société Générale'],
];
const TABLE = [HEADERS, ...ROWS];
const csv = (table: readonly (readonly string[])[], separator = ';') =>
  table.map((cells) => cells.join(separator)).join('\r\n');

function read(file: Uint8Array, parts: Partial<BookFile> = {}) {
  return readBookFile({ file, profile: null, reading: {}, ...parts }, SHEET_LIMITS).catch((error: unknown) => {
    if (error instanceof UnreadableFile) return { kind: 'unreadable' as const, ...error.fileProblem };
    throw error;
  });
}

const EXPECTED = {
  kind: 'read',
  lines: [
    {
      key: '70012',
      currency: 'EUR',
      details: { companyName: 'Bäckerei Grün GmbH', bankAccount: { iban: 'DE89370400440532013000' } },
    },
    { key: '70013', details: { companyName: 'Würth Möbel KG' } },
  ],
};

describe('a list of suppliers with headers of others', () => {
  test('is read as CSV in UTF-8 and UTF-16, and in an encoding that somebody says', async () => {
    expect(await read(Buffer.from(csv(TABLE)))).toMatchObject(EXPECTED);
    expect(await read(Buffer.from(`\ufeff${csv(TABLE, '\t')}`, 'utf16le'))).toMatchObject(EXPECTED);
    const latin = Buffer.from(csv(TABLE), 'latin1');
    expect(await read(latin)).toMatchObject({ kind: 'unreadable', code: 'encoding_not_chosen' });
    expect(await read(latin, { reading: { encoding: 'windows-1252' } })).toMatchObject(EXPECTED);
  });

  test('is read as a workbook', async () => {
    const rows = TABLE.map(
      (cells) => `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`,
    );
    expect(await read(sheetOf(rows.join('')))).toMatchObject(EXPECTED);
  });

  test('is refused with all that its headers leave open, in one problem', async () => {
    const table = TABLE.map((cells) => cells.slice(1, 3));
    expect(await read(Buffer.from(csv(table)))).toMatchObject({
      kind: 'unreadable',
      code: 'missing_columns',
      problem: expect.stringContaining('beneficiary_key') as unknown,
    });
  });

  test('is refused where two headers may be the key', async () => {
    const table = TABLE.map((cells, row) => [row === 0 ? 'Kreditorennummer' : `K-${row}`, ...cells]);
    expect(await read(Buffer.from(csv(table)))).toMatchObject({ kind: 'unreadable', code: 'missing_columns' });
  });
});

test('an apostrophe of another sheet than an export is part of its cell', async () => {
  const table = TABLE.map((cells, row) => (row === 1 ? cells.with(1, "'+Plus GmbH") : cells));
  expect(await read(Buffer.from(csv(table)))).toMatchObject({
    lines: [{ details: { companyName: "'+Plus GmbH" } }, {}],
  });
});

test.each([
  ['en', 'Supplier number'],
  ['de', 'Lieferantennr.'],
  ['fr', 'N° fournisseur'],
  ['es', 'Código de proveedor'],
  ['it', 'Codice fornitore'],
  ['nl', 'Leveranciersnummer'],
  ['pl', 'Kod dostawcy'],
  ['pt', 'Código do fornecedor'],
])('a number of the supplier may be its key (%s: %s), and a person decides for payments', (_, header) => {
  expect(meaningsOfHeader(header)).toMatchObject([{ column: null, also: ['beneficiary_key'] }]);
});
