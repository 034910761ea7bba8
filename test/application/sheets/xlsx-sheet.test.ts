import { describe, expect, test } from 'vitest';
import { ChoiceNeeded } from '../../../application/sheets/sheet.ts';
import { openSheet } from '../../../application/sheets/open-sheet.ts';
import { sheetOf, workbookOf } from './make-workbook.ts';
import { fileOf, problemOf, read } from './read-sheets.ts';

const PLAIN = [
  ['Lieferant', 'IBAN', 'Betrag', 'Fällig', 'Verwendungszweck'],
  ['Müller GmbH', 'DE89370400440532013000', '1,234.50', '27.11.2026', 'Rechnung 1'],
  ['Jäger & Söhne', 'DE02120300000000202051', '99.99', '01.12.2026', 'Rechnung 2'],
  ['Łódź Sp. z o.o.', 'PL61109010140000071219812874', '0.30', '04.01.2027', 'Faktura 3'],
];
const noted = async (content: Parameters<typeof read>[0], sheetName?: string) =>
  (await read(content, sheetName === undefined ? {} : { sheetName })).sheet
    .notes()
    .map(({ code, line, column, count }) => [code, line, column, count]);

describe('a workbook', () => {
  test.each(['plain.xlsx', 'from-1904.xlsx', 'libreoffice.xlsx'])('is read as it is shown: %s', async (name) => {
    const { sheet, records, cells } = await read(fileOf(name));
    expect(sheet).toMatchObject({ form: 'xlsx', reading: { sheetName: 'Zahlungen', delimiter: null } });
    expect(cells).toEqual(PLAIN);
    expect(records.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
    expect(records[1]?.values).toEqual([null, null, '1234.5', '2026-11-27', null]);
    expect(sheet.notes()).toEqual([]);
  });

  test('is read from its start each time', async () => {
    const { sheet, records } = await read(fileOf('notes.xlsx'));
    const notes = sheet.notes();
    const again = [];
    for await (const batch of sheet.records()) again.push(...batch);
    expect(again).toEqual(records);
    expect(sheet.notes()).toEqual(notes);
  });

  test('has texts in its cells, rich text, times, percentages, flags and results of formulas', async () => {
    const { records } = await read(fileOf('rich.xlsx'));
    expect(records.slice(1)).toEqual([
      {
        line: 2,
        cells: ['Müller GmbH', '2026-11-27 13:30', '13%', '12', 'TRUE', '1.23457E+11'],
        values: [null, '2026-11-27T13:30:00', '0.125', '12', null, '123456789012'],
      },
      { line: 3, cells: ['', '', '2'], values: [null, null, '2'], formulas: [null, null, 'C3, a calculation'] },
      { line: 4, cells: ['line one\nline two'], values: [null] },
    ]);
    expect((await read(fileOf('inline.xlsx'))).cells[1]).toEqual(['Müller GmbH', 'DE89370400440532013000', '1234.5']);
  });

  test('has what a person must know named with its place', async () => {
    expect(await noted(fileOf('notes.xlsx'))).toEqual([
      ['hidden_sheets', 0, null, 1],
      ['hidden_columns', 1, 'E', 1],
      ['hidden_rows', 6, null, 1],
      ['formula_without_value', 7, 'C', 1],
      ['error_value', 8, 'A', 1],
      ['number_cut', 9, 'B', 1],
      ['shown_otherwise', 9, 'B', 2],
      ['date_not_real', 14, 'D', 1],
      ['merged_cells', 12, 'A', 1],
    ]);
  });

  test.each(['filtered.xlsx', 'libreoffice-filtered.xlsx'])('has filtered rows, which are read: %s', async (name) => {
    expect(await noted(fileOf(name))).toEqual([['filtered_rows', 3, null, 2]]);
    expect((await read(fileOf(name))).records.map(({ hidden }) => hidden ?? false)).toEqual([false, false, true, true]);
  });

  test('with two sheets is read once one is chosen', async () => {
    const file = fileOf('two-sheets.xlsx');
    expect(await problemOf(file)).toMatchObject({ code: 'sheet_not_chosen' });
    await expect(openSheet(file)).rejects.toThrow(ChoiceNeeded);
    await expect(openSheet(file)).rejects.toMatchObject({ sheetNames: ['Zahlungen', 'Mai'] });
    expect((await read(file, { sheetName: 'Zahlungen' })).cells).toEqual(PLAIN);
    expect(await noted(file, 'Zahlungen')).toEqual([['other_sheets', 0, null, 1]]);
    expect(await problemOf(file, { sheetName: 'Juni' })).toMatchObject({
      code: 'unknown_sheet',
      fix: 'choose one of: "Zahlungen", "Mai"',
    });
  });

  test('has rows and cells that do not say where they are', async () => {
    const rows =
      '<row><c><v>1</v></c><c><v>2</v></c></row><row r="4"><c r="C4"><v>3</v></c><c><v>4</v></c></row><row/>';
    expect((await read(sheetOf(rows))).records).toEqual([
      { line: 1, cells: ['1', '2'], values: ['1', '2'] },
      { line: 4, cells: ['', '', '3', '4'], values: [null, null, '3', '4'] },
    ]);
  });

  test('has formulas without results, of any kind', async () => {
    const cells = ['b', 'e', 'str', 'n'].map((type) => `<c t="${type}"><f>A1</f></c>`).join('');
    const { sheet, records } = await read(sheetOf(`<row>${cells}<c t="str"><f>A1</f><v></v></c><c><v>1</v></c></row>`));
    expect(records[0]?.cells).toEqual(['', '', '', '', '', '1']);
    expect(sheet.notes()).toMatchObject([{ code: 'formula_without_value', column: 'A', count: 4 }]);
  });

  test('has texts with what XML cannot have, and none of how they are pronounced', async () => {
    const strings = '<si><t>a_x000D_b_x005F_x</t></si><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si>';
    const rows = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>';
    expect((await read(sheetOf(rows, { strings }))).cells).toEqual([['a\rb_x', '東京']]);
  });

  test('may have prefixes, and be written as UTF-16', async () => {
    const rows =
      '<x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"><x:sheetData><x:row r="1"><x:c r="A1"><x:v>5</x:v></x:c></x:row></x:sheetData></x:worksheet>';
    const content = Buffer.from(`\ufeff${rows}`, 'utf16le');
    const parts = { sheets: { A: '' }, more: [{ name: 'xl/worksheets/sheet1.xml', content }] };
    expect((await read(workbookOf(parts))).cells).toEqual([['5']]);
  });
});

describe('a number of a workbook', () => {
  const styles = (code: string) =>
    `<numFmts><numFmt numFmtId="200" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="200"/><xf numFmtId="14"/></cellXfs>`;
  const cellOf = async (stored: string, code = 'General', properties = '') => {
    const row = `<row r="1"><c r="A1" s="1"><v>${stored}</v></c></row>`;
    const { sheet, records } = await read(sheetOf(row, { styles: styles(code), properties }));
    return [
      records[0]?.cells[0],
      records[0]?.values?.[0],
      sheet
        .notes()
        .map((note) => note.code)
        .join(),
    ];
  };

  test.each<[string, string, string, string | null, string]>([
    ['1234.5600000000001', 'General', '1234.56', '1234.56', ''],
    ['119.30000000000001', 'General', '119.3', '119.3', ''],
    ['1234.56', '#,##0.00', '1,234.56', '1234.56', ''],
    ['0.1', '0.00', '0.10', '0.1', ''],
    ['2.675', '0.00', '2.68', '2.675', 'shown_otherwise'],
    ['1234.56', '0', '1235', '1234.56', 'shown_otherwise'],
    ['1234', ';;;', '', '1234', 'shown_otherwise'],
    ['-12.5', '#,##0.00;[Red]-#,##0.00', '-12.50', '-12.5', ''],
    ['0.125', '0.0%', '12.5%', '0.125', ''],
    ['0.125', '0%', '13%', '0.125', 'shown_otherwise'],
    ['1E-7', 'General', '0.0000001', '0.0000001', ''],
    ['1e21', '0', '1000000000000000000000', '1000000000000000000000', 'number_cut'],
    ['4111111111111110', '0', '4111111111111110', '4111111111111110', 'number_cut'],
    ['4111111111111111', '0', '4111111111111110', '4111111111111111', 'number_cut'],
    ['123', '00000', '00123', '123', ''],
    ['-0', '0', '0', '0', ''],
    ['99999', '&quot;100.00&quot;', '100.00', '99999', 'shown_otherwise'],
    ['99999', '0&quot;.00&quot;', '99999.00', '99999', 'shown_otherwise'],
    ['1.5', '0.##', '1.5', '1.5', ''],
    ['10', '0.##', '10.', '10', ''],
    ['12.5', '_-* #,##0.00\\ [$€-407]_-', '12,50 €', '12.5', ''],
    ['-1234.5', '_(* #,##0.00_);_(* (#,##0.00)', '(1,234.50)', '-1234.5', ''],
    ['123456', '0.00E+00', '1.23E+05', '123456', 'shown_otherwise'],
    ['5', '@', '5', '5', ''],
    ['46353', 'yyyy-mm-dd', '2026-11-27', '2026-11-27', ''],
    ['46353.5625', 'dd.mm.yyyy hh:mm', '27.11.2026 13:30', '2026-11-27T13:30:00', ''],
    ['0.5', 'hh:mm', '12:00', null, ''],
    ['1', 'yyyy-mm-dd', '1900-01-01', '1900-01-01', ''],
    ['61', 'yyyy-mm-dd', '1900-03-01', '1900-03-01', ''],
    ['60', 'yyyy-mm-dd', '60', '60', 'date_not_real'],
    ['2958466', 'yyyy-mm-dd', '2958466', '2958466', 'date_not_real'],
    ['7', 'no format at all &quot;', '7', '7', ''],
  ])('%s as %s', async (stored, code, shown, value, notes) => {
    expect(await cellOf(stored, code)).toEqual([shown, value, notes]);
  });

  test('has the format of its style, not of a condition with the same number', async () => {
    const more = '<dxfs><dxf><numFmt numFmtId="200" formatCode="&quot;1.00&quot;"/></dxf></dxfs>';
    const { cells } = await read(sheetOf('<row><c s="1"><v>9</v></c></row>', { styles: styles('0.00') + more }));
    expect(cells).toEqual([['9.00']]);
  });

  test('that is a date counts from 1904 where the workbook says so', async () => {
    expect(await cellOf('44891', 'yyyy-mm-dd', 'date1904="1"')).toEqual(['2026-11-27', '2026-11-27', '']);
  });

  test.each(['NaN', '1,5', '0x10', 'Infinity', '1e999', 'abc'])('is refused if it is none: %s', async (stored) => {
    expect(await problemOf(sheetOf(`<row r="3"><c r="A3"><v>${stored}</v></c></row>`))).toMatchObject({
      code: 'damaged_workbook',
      line: 3,
    });
  });
});

describe('what nobody sees in a workbook', () => {
  const rows = '<row r="1"><c r="A1"><v>1</v></c></row>';
  const more = '<row r="2"><c r="A2"><v>2</v></c></row>';

  test.each([
    ['an extension', `<extLst><ext><sheetData>${more}</sheetData></ext></extLst>`],
    ['rows of something else', `<other>${more}</other>`],
    ['rows of another namespace', `<x:other xmlns:x="urn:other">${more}</x:other>`],
  ])('is not read: %s', async (_, beside) => {
    const content = workbookOf({ sheets: { A: `<sheetData>${rows}</sheetData>${beside}` } });
    expect((await read(content)).cells).toEqual([['1']]);
  });

  test('is not read: extensions of a row and of a cell', async () => {
    const content = sheetOf(
      '<row><c><v>1</v><extLst><ext><t>2</t></ext></extLst></c><extLst><ext><v>3</v></ext></extLst></row>',
    );
    expect((await read(content)).cells).toEqual([['1']]);
  });

  test.each([
    ['a row without height', '', 'ht="0" customHeight="1"', 'hidden_rows'],
    ['a row of almost no height', '', 'ht="0.1"', 'hidden_rows'],
    ['all rows that say nothing else', '<sheetFormatPr zeroHeight="1"/>', '', 'hidden_rows'],
    ['rows of no height', '<sheetFormatPr defaultRowHeight="0"/>', '', 'hidden_rows'],
    ['a column without width', '<cols><col min="1" max="1" width="0" customWidth="1"/></cols>', '', 'hidden_columns'],
    ['nothing', '<sheetFormatPr zeroHeight="1" defaultRowHeight="15"/>', 'ht="15"', ''],
    ['nothing', '<cols><col min="1" max="1" width="9"/></cols>', 'hidden="0"', ''],
  ])('is named: %s', async (_, before, attributes, code) => {
    const data = `<sheetData><row r="1" ${attributes}><c r="A1"><v>1</v></c></row></sheetData>`;
    const notes = await noted(workbookOf({ sheets: { A: before + data } }));
    expect(notes.map(([found]) => found).join()).toBe(code);
  });
});
