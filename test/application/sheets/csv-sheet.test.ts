import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { fileOf, problemOf, read } from './read-sheets.ts';

const encodedByPython = JSON.parse(readFileSync(path.join(import.meta.dirname, 'files/encodings.json'), 'utf8')) as {
  label: string;
  text: string;
  base64: string;
}[];

const TABLE = [
  ['Lieferant', 'Betrag', 'Text'],
  ['Müller GmbH', '1.234,56', 'a;b,c|d\te'],
  ['Łódź', '0,10', 'say "hi"\nagain'],
];
const csvOf = (delimiter: string, lineEnd: string, table = TABLE): string =>
  table.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter) + lineEnd).join('');
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('the delimiter of a CSV', () => {
  test.each([',', ';', '\t', '|'])('is found: %j', async (delimiter) => {
    const { sheet, cells } = await read(csvOf(delimiter, '\n'));
    expect(sheet.reading.delimiter).toBe(delimiter);
    expect(cells).toEqual(TABLE);
    expect(sheet.proposals).toEqual([]);
  });

  test('is what a line for Excel says, and that line is none of the records', async () => {
    const { sheet, records } = await read('sep=^\r\na^b\r\n1^2');
    expect(sheet.reading.delimiter).toBe('^');
    expect(records).toEqual([
      { line: 2, cells: ['a', 'b'] },
      { line: 3, cells: ['1', '2'] },
    ]);
  });

  test('is not said by a cell that looks so', async () => {
    expect((await read('"sep=;"\na\n')).cells).toEqual([['sep=;'], ['a']]);
  });

  test('is proposed with both readings where two are possible', async () => {
    const { sheet } = await read('Name;Amount,Note\nA;1,5\nB;2,5\n');
    expect(sheet.proposals).toEqual([
      {
        what: 'delimiter',
        chosen: ',',
        because: 'most lines have 2 cells by it',
        sample: [
          ['Name;Amount', 'Note'],
          ['A;1', '5'],
          ['B;2', '5'],
        ],
        others: [
          {
            value: ';',
            sample: [
              ['Name', 'Amount,Note'],
              ['A', '1,5'],
              ['B', '2,5'],
            ],
          },
        ],
      },
    ]);
  });

  test('is the one that was chosen', async () => {
    const { sheet, cells } = await read('a;b\n1;2', { delimiter: ',' });
    expect(cells).toEqual([['a;b'], ['1;2']]);
    expect(sheet.proposals).toEqual([]);
  });

  test('is not one of decimal commas', async () => {
    const { sheet, cells } = await read('Name;Betrag\nA;1,50\nB;2,50\nC;3,00\n');
    expect(sheet.reading.delimiter).toBe(';');
    expect(cells[1]).toEqual(['A', '1,50']);
  });

  test('that cannot be one is refused', async () => {
    expect(await problemOf('a,b', { delimiter: '"' })).toMatchObject({ code: 'unusable_delimiter' });
    expect(await problemOf('a,b', { delimiter: '::' })).toMatchObject({ code: 'unusable_delimiter' });
  });

  test('is found by the first line in a file with a wrong quote, which is named', async () => {
    expect(await problemOf('a;b\n1;"2')).toMatchObject({ code: 'quote_not_closed', line: 2 });
  });

  test('is not needed for one column', async () => {
    expect((await read('name\nA\nB\n')).cells).toEqual([['name'], ['A'], ['B']]);
  });
});

describe('the encoding of a CSV', () => {
  const text = csvOf(';', '\r\n');
  test.each<[string, Buffer, string, boolean]>([
    ['UTF-8', Buffer.from(text), 'utf-8', false],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${text}`), 'utf-8', true],
    ['UTF-16 LE with its mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-16le', true],
    ['UTF-16 LE', Buffer.from(text, 'utf16le'), 'utf-16le', false],
    ['UTF-16 BE with its mark', swapped(`\ufeff${text}`), 'utf-16be', true],
    ['UTF-16 BE', swapped(text), 'utf-16be', false],
  ])('is known without a choice: %s', async (_, bytes, encoding, hasByteOrderMark) => {
    const { sheet, cells } = await read(bytes);
    expect(sheet.reading).toMatchObject({ encoding, hasByteOrderMark });
    expect(sheet.proposals).toEqual([]);
    expect(cells).toEqual(TABLE);
  });

  test('is proposed as windows-1252, with how it would read otherwise', async () => {
    const { sheet, cells } = await read(Buffer.from('Name;Preis\nMüller;5 €\n'.replace('€', '\u0080'), 'latin1'));
    expect(cells).toEqual([
      ['Name', 'Preis'],
      ['Müller', '5 €'],
    ]);
    expect(sheet.proposals).toMatchObject([{ what: 'encoding', chosen: 'windows-1252', sample: [['Müller;5 €']] }]);
    expect(sheet.proposals[0]?.others).toContainEqual({ value: 'macintosh', sample: [['M¸ller;5 Ä']] });
  });

  test.each([
    ['semicolon-1252.csv', 'windows-1252', 'Müller GmbH'],
    ['polish-1250.csv', 'windows-1250', 'Łódź Spółka z o.o.'],
    ['russian-1251.csv', 'windows-1251', 'ООО Ромашка'],
    ['japanese-sjis.csv', 'shift_jis', '株式会社サンプル'],
    ['chinese-gbk.csv', 'gb18030', '北京有限公司'],
    ['french-1252.csv', 'windows-1252', 'Société Générale'],
  ])('is proposed for files of other programs: %s', async (name, encoding, cell) => {
    const { sheet, cells } = await read(fileOf(name));
    expect(sheet.reading.encoding).toBe(encoding);
    expect(sheet.proposals[0]?.what).toBe('encoding');
    expect(cells[1]?.[0]).toBe(cell);
  });

  test('is the one that was chosen, by any of its names', async () => {
    const { sheet, cells } = await read(Buffer.from('a\nM\u00fcller', 'latin1'), { encoding: 'Latin1' });
    expect(sheet.reading.encoding).toBe('windows-1252');
    expect(sheet.proposals).toEqual([]);
    expect(cells).toEqual([['a'], ['Müller']]);
  });

  test.each(encodedByPython)('can be chosen, and reads what Python wrote: $label', async ({ label, text, base64 }) => {
    const { cells, sheet } = await read(Buffer.from(base64, 'base64'), { encoding: label, delimiter: ';' });
    expect(cells).toEqual([[text]]);
    expect(sheet.reading.encoding).toBe(label);
  });

  test('that was chosen wrongly is refused, with the line', async () => {
    const bytes = Buffer.from('a\nb\nM\u00fcller', 'latin1');
    expect(await problemOf(bytes, { encoding: 'utf-8' })).toMatchObject({ code: 'wrong_encoding', line: 3 });
    expect(await problemOf(bytes, { encoding: 'klingon' })).toMatchObject({ code: 'unknown_encoding' });
    const marked = Buffer.from('\ufeffa\nb');
    expect(await problemOf(marked, { encoding: 'windows-1252' })).toMatchObject({ code: 'wrong_encoding', line: 1 });
  });

  test('is not proposed for UTF-8 with one damaged line, which is named', async () => {
    const bytes = Buffer.concat([
      Buffer.from('a\nMüller\nJäger\n'),
      Buffer.from('K\u00f6nig\n', 'latin1'),
      Buffer.from('Süß\n'),
    ]);
    expect(await problemOf(bytes)).toMatchObject({ code: 'wrong_encoding', line: 4 });
  });

  test('is none for a file with a zero byte', async () => {
    expect(await problemOf('a,b\n1,\u00002\n')).toMatchObject({ code: 'zero_byte', line: 2 });
  });
});

describe('the lines of a CSV', () => {
  test.each(['\n', '\r\n', '\r'])('end with %j', async (lineEnd) => {
    const { records } = await read(['a,b', '', '"1', '2",x', '3,y'].join(lineEnd));
    expect(records.map(({ line }) => line)).toEqual([1, 3, 5]);
    expect(records[1]?.cells[0]).toBe(`1${lineEnd}2`);
  });

  test('do not end in two ways', async () => {
    expect(await problemOf('a,b\n1,2\r3,4\n')).toMatchObject({ code: 'line_ends', line: 2 });
    expect(await problemOf('a,b\r1,2\n3,4\r')).toMatchObject({ code: 'line_ends', line: 2 });
  });

  test('are the same wherever the file is cut into pieces', async () => {
    const row = (index: number) => [`R${index}`, 'x'.repeat(index % 97), `say "${index}"\r\nü€𝄞`, ''];
    const table = Array.from({ length: 20_000 }, (_, index) => row(index));
    const { cells, records } = await read(csvOf(',', '\r\n', table));
    expect(cells).toEqual(table);
    expect(records.at(-1)?.line).toBe(2 * table.length - 1);
  });
});

describe('one clear problem for a CSV that', () => {
  test.each<[string, string, { code: string; line: number }]>([
    ['is empty', '', { code: 'empty_file', line: 1 }],
    ['has blanks alone', ' \r\n\n', { code: 'empty_file', line: 1 }],
    ['has a quote that is never closed', 'a,b\n1,2\n3,"4\n5,6\n', { code: 'quote_not_closed', line: 3 }],
    ['has a quote inside a cell', 'a,b\n1,2"3\n', { code: 'quote_inside', line: 2 }],
    ['has text after a quote', 'a,b\n"1\n2"x,3\n', { code: 'text_after_quote', line: 3 }],
    ['has too many columns', `a\n${','.repeat(200)}\n`, { code: 'too_many_columns', line: 2 }],
    ['has 10,000 columns', 'a,'.repeat(10_000), { code: 'too_many_columns', line: 1 }],
    ['has a cell that is too long', `a,b\n1,${'x'.repeat(10_001)}`, { code: 'cell_too_long', line: 2 }],
  ])('%s', async (_, text, problem) => {
    expect(await problemOf(text)).toMatchObject(problem);
  });

  test('is too large, or has too many rows', async () => {
    expect(await problemOf('a\n1\n', {}, { bytes: 3 })).toMatchObject({ code: 'file_too_large', line: 0 });
    expect(await problemOf('a\n1\n2\n3\n', {}, { rows: 2 })).toMatchObject({ code: 'too_many_rows', line: 4 });
    expect((await read('a\n1\n2\n', {}, { rows: 2 })).cells).toHaveLength(3);
  });

  test.each(['', '"'])('has one cell of 200 MB, which is never held (%j)', async (quote) => {
    const bytes = Buffer.alloc(200 * 1024 ** 2, 'x');
    bytes.write(`a,b\n1,${quote}`);
    const before = process.memoryUsage().rss;
    expect(await problemOf(bytes)).toMatchObject({ code: 'cell_too_long', line: 2 });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 ** 2);
  });
});

test('records are those of another parser', async () => {
  for (const name of ['semicolon-1252.csv', 'comma-utf8.csv', 'python-excel.csv', 'python-unix.csv']) {
    const { sheet, cells } = await read(fileOf(name));
    const { encoding, delimiter } = sheet.reading;
    const file = fileOf(name);
    const bytes = file instanceof Uint8Array ? file : readFileSync(file.path);
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    expect(cells).toEqual(parse(text, { delimiter: delimiter ?? ',', skip_empty_lines: true }));
  }
});
