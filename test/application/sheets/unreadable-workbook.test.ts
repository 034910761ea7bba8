import { describe, expect, test } from 'vitest';
import { zipOf } from './make-zip.ts';
import { DECLARATION, MAIN, sheetOf, workbookOf, workbookParts } from './make-workbook.ts';
import { problemOf, read } from './read-sheets.ts';

describe('a workbook is read', () => {
  test('with many columns that are hidden', async () => {
    const columns = '<col min="999" max="999" hidden="1"/>'.repeat(16_384);
    const rows = `<row>${'<c><v>1</v></c>'.repeat(100)}</row>`.repeat(500);
    const content = workbookOf({ sheets: { A: `<cols>${columns}</cols><sheetData>${rows}</sheetData>` } });
    expect((await read(content)).records).toHaveLength(500);
  });

  test('with a long number that is none', async () => {
    const content = sheetOf(`<row><c><v>${'1'.repeat(39_000)}x</v></c></row>`);
    expect(await problemOf(content, {}, { cellCharacters: 40_000 })).toMatchObject({ code: 'damaged_workbook' });
  });
});

describe('one clear problem for a workbook that', () => {
  const cell = '<row r="1"><c r="A1"><v>1</v></c></row>';
  const doctype = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>';
  test.each<[string, Buffer, string]>([
    ['is cut off', sheetOf(cell).subarray(0, -30), 'damaged_workbook'],
    [
      'has no sheets',
      zipOf([
        { name: '[Content_Types].xml', content: '' },
        { name: 'xl/a', content: '' },
      ]),
      'damaged_workbook',
    ],
    ['has no content', sheetOf(''), 'empty_file'],
    ['has XML that is not well-formed', sheetOf('<row r="1"><c>'), 'damaged_workbook'],
    ['has a row twice', sheetOf(`${cell}${cell}`), 'damaged_workbook'],
    ['has a cell twice', sheetOf('<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>'), 'damaged_workbook'],
    ['names a text that it has not', sheetOf('<row r="1"><c r="A1" t="s"><v>7</v></c></row>'), 'damaged_workbook'],
    ['has 10,000 columns', sheetOf(`<row r="1">${'<c><v>1</v></c>'.repeat(10_000)}</row>`), 'too_many_columns'],
    ['has a cell far to the right', sheetOf('<row r="1"><c r="XFD1"><v>1</v></c></row>'), 'too_many_columns'],
    [
      'has two values in a cell',
      sheetOf('<row><c t="inlineStr"><v>1</v><is><t>0</t></is></c></row>'),
      'damaged_workbook',
    ],
    ['has a value twice in a cell', sheetOf('<row><c><v>1</v><v>0</v></c></row>'), 'damaged_workbook'],
    ['has a text in the cell of a number', sheetOf('<row><c><is><t>10</t></is></c></row>'), 'damaged_workbook'],
    ['has a cell within a cell', sheetOf('<row><c><v>1</v><c><v>2</v></c></c></row>'), 'damaged_workbook'],
    ['has a row that is no part of the rows', sheetOf(`${cell}<x><row r="2"/></x>`), 'damaged_workbook'],
    ['has a cell that is no part of a row', sheetOf('<row><x><c><v>1</v></c></x></row>'), 'damaged_workbook'],
    ['nests too deeply', sheetOf('<a>'.repeat(200_000)), 'damaged_workbook'],
    [
      'has a text that is too long',
      sheetOf(`<row r="1"><c r="A1" t="str"><v>${'x'.repeat(10_001)}</v></c></row>`),
      'cell_too_long',
    ],
  ])('%s', async (_, bytes, code) => {
    expect(await problemOf(bytes)).toMatchObject({ code });
  });

  test.each(['xl/worksheets/sheet1.xml', 'xl/sharedStrings.xml', 'xl/styles.xml', 'xl/workbook.xml', '_rels/.rels'])(
    'has entities in %s',
    async (name) => {
      const content = `${DECLARATION}${doctype}<x>&b;</x>`;
      const bytes = workbookOf({ sheets: { A: `<sheetData>${cell}</sheetData>` }, more: [{ name, content }] });
      expect(await problemOf(bytes)).toMatchObject({ code: 'xml_entities' });
    },
  );

  test('has a part whose checksum is wrong', async () => {
    const parts = workbookParts({ sheets: { A: `<sheetData>${cell}</sheetData>` } });
    const wrong = parts.map((part) => ({ ...part, saidChecksum: 1 }));
    expect(await problemOf(zipOf(wrong))).toMatchObject({ code: 'damaged_workbook' });
  });

  test('has two sheets of one name', async () => {
    const data = `<sheetData>${cell}</sheetData>`;
    const bytes = workbookOf({ sheets: { Payments: data, PAYMENTS: data } });
    expect(await problemOf(bytes, { sheetName: 'Payments' })).toMatchObject({ code: 'damaged_workbook' });
  });

  test('has two parts of one name', async () => {
    const parts = workbookParts({ sheets: { A: `<sheetData>${cell}</sheetData>` } });
    expect(await problemOf(zipOf([...parts, ...parts]))).toMatchObject({ code: 'damaged_workbook' });
  });

  test('has one long text in many cells, and so more characters than any CSV', async () => {
    const strings = `<si><t>${'a'.repeat(9_000)}</t></si>`;
    const rows = `<row>${'<c t="s"><v>0</v></c>'.repeat(200)}</row>`.repeat(20_000);
    const content = sheetOf(rows, { strings });
    expect(content.byteLength).toBeLessThan(500_000);
    expect(await problemOf(content)).toMatchObject({ code: 'file_too_large', line: 895 });
  });

  // Of a draft, where a CSV has as many characters as bytes at most.
  test.each([
    ['numbers, which have values as well', sheetOf('<row><c><v>1e300</v></c></row>'), 301],
    ['empty cells', sheetOf('<row><c r="GR1"><v>1</v></c></row>'), 201],
    ['texts', 'aa,bb\ncc,dd\n', 11],
  ])('has too many characters in all: %s', async (_, content, most) => {
    expect(await problemOf(content, {}, { charactersInAll: most })).toMatchObject({ code: 'file_too_large' });
  });

  test('has too many rows, or too many different texts', async () => {
    const rows = [1, 2, 3, 4].map((row) => `<row r="${row}"><c r="A${row}"><v>1</v></c></row>`).join('');
    expect(await problemOf(sheetOf(rows), {}, { rows: 2 })).toMatchObject({ code: 'too_many_rows', line: 4 });
    const strings = '<si><t>some text</t></si>'.repeat(100);
    const limits = { distinctTextBytes: 1_000 };
    expect(await problemOf(sheetOf(cell, { strings }), {}, limits)).toMatchObject({ code: 'unfolds_too_far' });
  });

  // What the archive says of the size is no matter: it is counted.
  test.each([undefined, 100])('unfolds too far (%s)', async (saidBytes) => {
    const content = Buffer.alloc(300 * 1024 ** 2, ' ');
    content.write(`<worksheet xmlns="${MAIN}"><sheetData>`);
    const part = { name: 'xl/worksheets/sheet1.xml', content };
    const bytes = workbookOf({ sheets: { A: '' }, more: [saidBytes === undefined ? part : { ...part, saidBytes }] });
    const before = process.memoryUsage().rss;
    const { code } = await problemOf(bytes);
    expect(['unfolds_too_far', 'damaged_workbook', 'cell_too_long']).toContain(code);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 ** 2);
  });

  test('has one cell of 200 MB, which is never held', async () => {
    const text = Buffer.alloc(200 * 1024 ** 2, 'x');
    text.write(`<worksheet xmlns="${MAIN}"><sheetData><row r="1"><c r="A1" t="str"><v>`);
    const bytes = workbookOf({ sheets: { A: '' }, more: [{ name: 'xl/worksheets/sheet1.xml', content: text }] });
    const before = process.memoryUsage().rss;
    expect(await problemOf(bytes)).toMatchObject({ code: 'cell_too_long' });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 ** 2);
  });
});
