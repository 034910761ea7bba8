import { describe, expect, test } from 'vitest';
import { bytesOf, cells, header, rowsOf, troubleOf } from './payment-files.ts';

const headerWith = (more: string) => `${header},${more}`;

describe('a payment file', () => {
  test('gives every cell as the text that was written, by our column names', () => {
    const { rows } = rowsOf(bytesOf(headerWith('echo,beneficiary_postcode'), `${cells('A')}," a ""b"", c",00123`));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      line: 2,
      cells: { row_ref: 'A', echo: ' a "b", c', beneficiary_postcode: '00123' },
    });
    expect(rows[0]?.original.slice(-2)).toEqual([' a "b", c', '00123']);
  });

  test('may begin with a byte order mark, end its lines with CRLF and have blank lines', () => {
    const text = `\ufeff\r\n${header}\r\n\r\n${cells('A')}\r\n${cells('B')}`;
    const { rows, header: read } = rowsOf(Buffer.from(text));
    expect(rows.map(({ line, cells: { row_ref } }) => [line, row_ref])).toEqual([
      [4, 'A'],
      [5, 'B'],
    ]);
    expect(read.hasByteOrderMark).toBe(true);
    expect(read.names[0]).toBe('row_ref');
  });

  test.each(['\n', '\r\n'])('line numbers are right after cells with line breaks (%j)', (end) => {
    const lines = [
      headerWith('echo'),
      `${cells('A')},"one${end}two${end}${end}four"`,
      `${cells('B')},x`,
      `${cells('C')},y`,
    ];
    const { rows } = rowsOf(Buffer.from(lines.join(end)));
    expect(rows.map((row) => row.line)).toEqual([2, 6, 7]);
    expect(rows[0]?.cells.echo).toBe(`one${end}two${end}${end}four`);
  });

  test('skips rows of empty cells, as spreadsheets leave below the last one', () => {
    const { rows } = rowsOf(bytesOf(header, ',,,,,,,,', cells('A'), ' ,,,,,,,,'));
    expect(rows.map((row) => row.line)).toEqual([3]);
  });

  test('may have headers in any order and in capitals', () => {
    const [names, row] = [header, cells('A')].map((line) => line.split(',').reverse().join(','));
    expect(rowsOf(bytesOf((names ?? '').toUpperCase(), row ?? '')).rows[0]?.cells.amount).toBe('10.00');
  });

  test('of other people is read by a mapping, which can also leave columns out', () => {
    const theirs = header.replace('row_ref', 'Belegnummer').replace('amount,', ' Betrag ,');
    const { rows, header: read } = rowsOf(bytesOf(`${theirs},Notiz`, `${cells('A')},x`), {
      mapping: { Belegnummer: 'row_ref', Betrag: 'amount', Notiz: '' },
    });
    expect(rows[0]?.cells).toMatchObject({ row_ref: 'A', amount: '10.00' });
    expect(read.columns.at(-1)).toBeNull();
    expect(read.names[0]).toBe('Belegnummer');
  });

  test('needs no column that has a run default, and its own cells take precedence', () => {
    const file = bytesOf(`${header},echo`.replace(',funding_method', ''), `${cells('A').replace(',PAYNOW', '')},`);
    const { rows } = rowsOf(file, { defaults: { funding_method: 'PAYNOW', echo: 'x', amount: '99' } });
    expect(rows[0]?.cells).toMatchObject({ funding_method: 'PAYNOW', echo: 'x', amount: '10.00' });
    expect(rows[0]?.original).not.toContain('x');
  });

  test('submitted again from exceptions.csv is read without the two columns', () => {
    const { rows, header: read } = rowsOf(
      bytesOf(headerWith('payrun_status,payrun_reason'), `${cells('A')},failed,why`),
    );
    expect(Object.values(rows[0]?.cells ?? {})).not.toContain('failed');
    expect(read.columns.slice(-2)).toEqual([null, null]);
  });
});

describe('one clear error for a file that', () => {
  const twoRows = [header, cells('A'), cells('B')];
  const utf16 = Buffer.from(`\ufeff${twoRows.join('\n')}`, 'utf16le');
  const cases: [string, Uint8Array, { code: string; line: number; column?: string }][] = [
    ['is empty', Buffer.alloc(0), { code: 'empty_file', line: 1 }],
    ['has blank lines alone', Buffer.from('\r\n\n'), { code: 'empty_file', line: 1 }],
    ['has a header alone', bytesOf(header), { code: 'no_rows', line: 1 }],
    [
      'is not UTF-8',
      Buffer.concat([bytesOf(...twoRows), Buffer.from('M\xfcller', 'latin1')]),
      { code: 'not_utf8', line: 4 },
    ],
    ['is UTF-16', utf16, { code: 'utf16', line: 1 }],
    ['is UTF-16 without a mark', utf16.subarray(2), { code: 'utf16', line: 1 }],
    ['is UTF-16 with the bytes the other way round', Buffer.from(utf16).swap16(), { code: 'utf16', line: 1 }],
    ['is a workbook', Buffer.from('PK\u0003\u0004 and more of it'), { code: 'workbook', line: 1 }],
    ['has a zero byte', bytesOf(...twoRows, cells('C\u0000')), { code: 'zero_byte', line: 4 }],
    ['has semicolons', bytesOf(...twoRows.map((line) => line.replaceAll(',', ';'))), { code: 'delimiter', line: 1 }],
    ['has tabs', bytesOf(...twoRows.map((line) => line.replaceAll(',', '\t'))), { code: 'delimiter', line: 1 }],
    ['has a note for Excel', bytesOf('sep=,', ...twoRows), { code: 'separator_line', line: 1 }],
    ['has too few cells', bytesOf(...twoRows, 'C,1.00'), { code: 'ragged_row', line: 4 }],
    ['has too many cells', bytesOf(header, cells('A,B'), cells('C')), { code: 'ragged_row', line: 2 }],
    ['leaves a quote open', bytesOf(header, cells('"A'), cells('B')), { code: 'quote_not_closed', line: 2 }],
    ['has a quote inside a cell', bytesOf(...twoRows, cells('5" pipe')), { code: 'quote_inside', line: 4 }],
    ['goes on after a quote', bytesOf(header, cells('"A" x')), { code: 'text_after_quote', line: 2 }],
    ['has lone carriage returns', Buffer.from(twoRows.join('\r')), { code: 'line_ends', line: 1 }],
    ['has an empty header', bytesOf(`${header},`, `${cells('A')},`), { code: 'empty_header', line: 1 }],
    [
      'has a column twice',
      bytesOf(`${header}, Amount`, `${cells('A')},1`),
      { code: 'repeated_header', line: 1, column: 'Amount' },
    ],
    [
      'has an unknown column',
      bytesOf(`${header},beneficiary_citty`, `${cells('A')},x`),
      { code: 'unknown_header', line: 1, column: 'beneficiary_citty' },
    ],
    [
      'lacks needed columns',
      bytesOf('row_ref,amount', 'A,1'),
      { code: 'missing_columns', line: 1, column: 'amount_side' },
    ],
  ];

  test.each(cases)('%s', (_what, bytes, expected) => {
    const trouble = troubleOf(bytes);
    expect(trouble).toMatchObject(expected);
    expect(trouble.fix).not.toBe('');
  });

  test('is larger than the limit, has more rows, more columns or longer cells', () => {
    const file = bytesOf(`${header},echo`, `${cells('A')},"xxxxx\nxxxxxxx"`, `${cells('B')},é`);
    const limits = { bytes: file.length, rows: 2, columns: 10, cellCharacters: 20 };
    expect(rowsOf(file, { limits }).rows).toHaveLength(2);
    expect(troubleOf(file, { limits: { ...limits, bytes: file.length - 1 } }).code).toBe('file_too_large');
    expect(troubleOf(file, { limits: { ...limits, rows: 1 } })).toMatchObject({ code: 'too_many_rows', line: 4 });
    expect(troubleOf(file, { limits: { ...limits, columns: 9 } })).toMatchObject({ code: 'too_many_columns', line: 1 });
    const long = bytesOf(`${header},echo`, `${cells('A')},${'x'.repeat(21)}`);
    expect(troubleOf(long, { limits })).toMatchObject({ code: 'cell_too_long', line: 2, column: 'echo' });
  });

  test('has a million columns: before they are all parsed', () => {
    expect(troubleOf(Buffer.from(','.repeat(1_000_000))).code).toBe('too_many_columns');
    expect(troubleOf(Buffer.concat([bytesOf(header), Buffer.from(','.repeat(1_000_000))])).line).toBe(2);
  });

  test('never closes a quote: before the rest is read as one cell', () => {
    const file = Buffer.concat([bytesOf(header, cells('A')), Buffer.from(`"${'x'.repeat(200_000)}`)]);
    expect(troubleOf(file)).toMatchObject({ code: 'cell_too_long', line: 3 });
  });

  test('has a mapping or defaults with unknown columns', () => {
    const file = bytesOf(header, cells('A'));
    expect(troubleOf(file, { mapping: { Betrag: 'ammount' } })).toMatchObject({ code: 'unknown_mapping', line: 0 });
    expect(troubleOf(file, { defaults: { ecco: 'x', zzz: 'y' } })).toMatchObject({ code: 'unknown_default', line: 0 });
    expect(troubleOf(file, { defaults: { ecco: 'x', zzz: 'y' } }).problem).toContain('zzz');
  });

  test('suggests what a header was meant to be', () => {
    expect(troubleOf(bytesOf(header.replace('amount_side', 'Amount Side'), cells('A'))).fix).toContain('amount_side');
  });
});
