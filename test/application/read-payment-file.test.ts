import { ownFormatProfile } from '../../domain/import-profiles/own-format.ts';
import { type Profile, profileSchema, withColumns } from '../../domain/import-profiles/profile.ts';
import { describe, expect, test } from 'vitest';
import { sheetOf } from './sheets/make-workbook.ts';
import { bytesOf, cells, header, rowsOf, troubleOf } from './payment-files.ts';

const headerWith = (more: string) => `${header},${more}`;

describe('a payment file', () => {
  test('gives every cell as the text that was written, by our column names', async () => {
    const { rows } = await rowsOf(
      bytesOf(headerWith('echo,beneficiary_postcode'), `${cells('A')}," a ""b"", c",00123`),
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      line: 2,
      cells: { row_ref: 'A', echo: 'a "b", c', beneficiary_postcode: '00123' },
    });
    expect(rows[0]?.original.slice(-2)).toEqual([' a "b", c', '00123']);
  });

  test('may begin with a byte order mark, end its lines with CRLF and have blank lines', async () => {
    const text = `\ufeff\r\n${header}\r\n\r\n${cells('A')}\r\n${cells('B')}`;
    const { rows, header: read } = await rowsOf(Buffer.from(text));
    expect(rows.map(({ line, cells: { row_ref } }) => [line, row_ref])).toEqual([
      [4, 'A'],
      [5, 'B'],
    ]);
    expect(read.hasByteOrderMark).toBe(true);
    expect(read.names[0]).toBe('row_ref');
  });

  test.each(['\n', '\r\n'])('line numbers are right after cells with line breaks (%j)', async (end) => {
    const lines = [
      headerWith('echo'),
      `${cells('A')},"one${end}two${end}${end}four"`,
      `${cells('B')},x`,
      `${cells('C')},y`,
    ];
    const { rows } = await rowsOf(Buffer.from(lines.join(end)));
    expect(rows.map((row) => row.line)).toEqual([2, 6, 7]);
    expect(rows[0]?.cells.echo).toBe(`one${end}two${end}${end}four`);
  });

  test('skips rows of empty cells, as spreadsheets leave below the last one', async () => {
    const { rows } = await rowsOf(bytesOf(header, ',,,,,,,,', cells('A'), ' ,,,,,,,,'));
    expect(rows.map((row) => row.line)).toEqual([3]);
  });

  test('may have headers in any order and in capitals', async () => {
    const [names, row] = [header, cells('A')].map((line) => line.split(',').reverse().join(','));
    expect((await rowsOf(bytesOf((names ?? '').toUpperCase(), row ?? ''))).rows[0]?.cells.amount).toBe('10.00');
  });

  test('of other people is read by a profile, in any order of its headers', async () => {
    const theirs = header.replace('row_ref', 'Belegnummer').replace('amount,', ' Betrag ,').split(',');
    const profile = profileSchema.parse({
      ...ownFormatProfile(header.split(','))!,
      headers: [...theirs, 'Notiz'],
      ignored: ['Notiz'],
      columns: {
        ...ownFormatProfile(header.split(','))!.columns,
        row_ref: { from: ['Belegnummer'] },
        amount: { from: ['Betrag'] },
        echo: { constant: 'x' },
      },
      amountForm: { decimalSign: ',', groupSeparator: '.' },
    });
    const file = bytesOf(
      `${theirs.join(';')};Notiz`,
      `${cells('A').replace('10.00', '1.234,50').replaceAll(',', ';').replace('1.234;50', '1.234,50')};y`,
    );
    const { rows, header: read } = await rowsOf(file, { profile });
    expect(rows[0]?.cells).toMatchObject({ row_ref: 'A', amount: '1234.50', echo: 'x' });
    expect(rows[0]?.original.at(-1)).toBe('y');
    expect(read.names[0]).toBe('Belegnummer');
  });

  test('leaves out what is no payment, and says so, only where its headers are not ours', async () => {
    const total = 'Total,20.00,,,,,,,';
    const file = bytesOf(header, cells('A'), cells('B'), total);
    expect((await rowsOf(file)).rows.map(({ line }) => line)).toEqual([2, 3, 4]);
    const theirs = header.replace('row_ref', 'Reference');
    const own = ownFormatProfile(header.split(','))!;
    const columns = { ...own.columns, row_ref: { from: ['Reference'] } };
    const profile = profileSchema.parse({ ...own, headers: theirs.split(','), columns });
    const read = await rowsOf(bytesOf(theirs, cells('A'), cells('B'), total), { profile });
    expect(read.rows.map(({ line }) => line)).toEqual([2, 3]);
    expect(read.notes.listed).toMatchObject([{ line: 4, code: 'row_left_out' }]);
    const wrong = await rowsOf(bytesOf(theirs, cells('A'), cells('B'), total.replace('20.00', '25.00')), { profile });
    expect(wrong.notes.listed).toMatchObject([
      { line: 4, code: 'row_left_out' },
      { line: 4, code: 'sum_differs' },
    ]);
    expect(wrong.notes.listed[1]?.problem).toContain('says 25.00, and those above it add up to 20.00');
  });

  test('with a cell that cannot be read has what is wrong beside what could be read', async () => {
    const own = ownFormatProfile(header.split(','))!;
    const profile = { ...own, amountForm: { decimalSign: ',' as const, groupSeparator: '.' as const } };
    const { rows } = await rowsOf(bytesOf(header, cells('A')), { profile });
    expect(rows[0]?.cells.amount).toBeUndefined();
    expect(rows[0]?.unread).toMatchObject([{ line: 2, column: 'amount', value: '10.00', code: 'not_in_form' }]);
  });

  test('submitted again from exceptions.csv is read without the two columns', async () => {
    const { rows, header: read } = await rowsOf(
      bytesOf(headerWith('payrun_status,payrun_reason'), `${cells('A')},failed,why`),
    );
    expect(Object.values(rows[0]?.cells ?? {})).not.toContain('failed');
    expect(read.names).toEqual(header.split(','));
  });
});

describe('a payment file of another form', () => {
  const twoRows = [header, cells('A'), cells('B')];
  const read = async (bytes: Uint8Array) => (await rowsOf(bytes)).rows.map(({ cells: { row_ref } }) => row_ref);
  const utf16 = Buffer.from(`\ufeff${twoRows.join('\n')}`, 'utf16le');

  test.each<[string, Uint8Array]>([
    ['UTF-16', utf16],
    ['UTF-16 without a mark', utf16.subarray(2)],
    ['UTF-16 with the bytes the other way round', Buffer.from(utf16).swap16()],
    ['semicolons', bytesOf(...twoRows.map((line) => line.replaceAll(',', ';')))],
    ['tabs', bytesOf(...twoRows.map((line) => line.replaceAll(',', '\t')))],
    ['a note for Excel', bytesOf('sep=,', ...twoRows)],
    ['lone carriage returns', Buffer.from(twoRows.join('\r'))],
    ['titles above its headers', bytesOf('Payments of May', '', ...twoRows)],
  ])('is read as well: %s', async (_what, bytes) => {
    expect(await read(bytes)).toEqual(['A', 'B']);
  });
});

describe('what is above the headers', () => {
  const own = ownFormatProfile(header.split(','))!;
  const theirs = header.replace('row_ref', 'Reference');
  const profile = profileSchema.parse({
    ...own,
    headers: theirs.split(','),
    columns: { ...own.columns, row_ref: { from: ['Reference'] } },
  });

  test('is named, as what is left out below them is', async () => {
    const { rows, notes } = await rowsOf(bytesOf('Payments of May', theirs, cells('A')), { profile });
    expect(rows).toHaveLength(1);
    expect(notes.listed).toMatchObject([{ line: 1, code: 'row_left_out' }]);
  });

  test('is refused in a file of our own headers if it may be a payment, as when a sheet was sorted', async () => {
    const known = `${cells('A').split(',').slice(0, 5).join(',')},,,,`;
    expect(await troubleOf(bytesOf(known, header, cells('B'), cells('C')))).toMatchObject({
      code: 'no_header',
      line: 1,
    });
  });

  test('a line of numbers is not one of headers, though somebody chose it: it may be a payment', async () => {
    const chosen = { ...profile, reading: { ...profile.reading, headerLine: 2 } };
    const trouble = await troubleOf(bytesOf(theirs, cells('A'), cells('B')), { profile: chosen });
    expect(trouble).toMatchObject({ code: 'no_header', line: 2 });
  });
});

test.each([
  [
    'Due',
    'A row without a day is said',
    [{ line: 3, code: 'no_day', problem: 'is paid as soon as the run is approved: "Due" (2 times)' }],
  ],
  ['pay_on', 'In our own column it means that', []],
])('a row without a day in the column %s is paid at once: %s', async (name, _, notes) => {
  const own = ownFormatProfile([...header.split(','), 'pay_on'])!;
  const headers = [...header.split(','), name];
  const profile = profileSchema.parse({ ...own, headers, columns: { ...own.columns, pay_on: { from: [name] } } });
  const file = bytesOf(headers.join(','), `${cells('A')},2026-12-31`, `${cells('B')},`, `${cells('C')},`);
  const read = await rowsOf(file, { profile });
  expect(read.rows.map(({ cells: { pay_on: day } }) => day)).toEqual(['2026-12-31', undefined, undefined]);
  expect(read.notes.listed).toMatchObject(notes.map(({ line, code }) => ({ line, code })));
  for (const [index, { problem }] of notes.entries()) expect(read.notes.listed[index]?.problem).toContain(problem);
});

test('a number that is no day is refused in a column of dates, even if its digits would be one', async () => {
  const columns = [...header.split(','), 'pay_on'];
  const texts = [columns, cells('A').split(',')].map(
    (row) => `<row>${row.map((text) => `<c t="str"><v>${text}</v></c>`).join('')}`,
  );
  const sheet = sheetOf(`${texts[0]}</row>${texts[1]}<c s="1"><v>20261231</v></c></row>`, {
    styles: '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>',
  });
  const { rows, notes } = await rowsOf(sheet);
  expect(rows[0]?.unread).toMatchObject([{ column: 'pay_on', code: 'not_in_form', value: '20261231' }]);
  expect(notes.listed).toMatchObject([{ code: 'date_not_real' }]);
});

describe('one clear error for a file that', () => {
  const twoRows = [header, cells('A'), cells('B')];
  const cases: [string, Uint8Array, { code: string; line: number; column?: string }][] = [
    ['is empty', Buffer.alloc(0), { code: 'empty_file', line: 1 }],
    ['has blank lines alone', Buffer.from('\r\n\n'), { code: 'empty_file', line: 1 }],
    ['has a header alone', bytesOf(header), { code: 'no_rows', line: 1 }],
    [
      'is in an encoding that it does not say',
      Buffer.from([...twoRows, cells('M\xfcller'), ''].join('\n'), 'latin1'),
      { code: 'encoding_not_chosen', line: 0 },
    ],
    ['is an archive', Buffer.from('PK\u0003\u0004 and more of it'), { code: 'damaged_workbook', line: 0 }],
    ['has a zero byte', bytesOf(...twoRows, cells('C\u0000')), { code: 'zero_byte', line: 4 }],
    ['has too few cells', bytesOf(...twoRows, 'C,1.00'), { code: 'ragged_row', line: 4 }],
    ['has too many cells', bytesOf(header, cells('A,B'), cells('C')), { code: 'ragged_row', line: 2 }],
    ['leaves a quote open', bytesOf(header, cells('"A'), cells('B')), { code: 'quote_not_closed', line: 2 }],
    ['has a quote inside a cell', bytesOf(...twoRows, cells('5" pipe')), { code: 'quote_inside', line: 4 }],
    ['goes on after a quote', bytesOf(header, cells('"A" x')), { code: 'text_after_quote', line: 2 }],
    [
      'has an empty header',
      bytesOf(`${header},`, `${cells('A')},x`),
      { code: 'unknown_header', line: 1, column: 'column 10' },
    ],
    [
      'has a column twice',
      bytesOf(`${header}, Amount`, `${cells('A')},1`),
      { code: 'unknown_header', line: 1, column: 'Amount (2)' },
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

  test.each(cases)('%s', async (_what, bytes, expected) => {
    const trouble = await troubleOf(bytes);
    expect(trouble).toMatchObject(expected);
    expect(trouble.fix).not.toBe('');
  });

  test('is larger than the limit, has more rows, more columns or longer cells', async () => {
    const file = bytesOf(`${header},echo`, `${cells('A')},"xxxxx\nxxxxxxx"`, `${cells('B')},é`);
    const limits = { bytes: file.length, rows: 2, columns: 10, cellCharacters: 20 };
    expect((await rowsOf(file, { limits })).rows).toHaveLength(2);
    expect((await troubleOf(file, { limits: { ...limits, bytes: file.length - 1 } })).code).toBe('file_too_large');
    expect(await troubleOf(file, { limits: { ...limits, rows: 1 } })).toMatchObject({ code: 'too_many_rows', line: 4 });
    expect(await troubleOf(file, { limits: { ...limits, columns: 9 } })).toMatchObject({
      code: 'too_many_columns',
      line: 1,
    });
    const long = bytesOf(`${header},echo`, `${cells('A')},${'x'.repeat(21)}`);
    expect(await troubleOf(long, { limits })).toMatchObject({ code: 'cell_too_long', line: 2, column: 'echo' });
  });

  test('has a million columns: before they are all parsed', async () => {
    expect((await troubleOf(Buffer.from(','.repeat(1_000_000)))).code).toBe('too_many_columns');
    expect((await troubleOf(Buffer.concat([bytesOf(header), Buffer.from(','.repeat(1_000_000))]))).line).toBe(2);
  });

  test('never closes a quote: before the rest is read as one cell', async () => {
    const file = Buffer.concat([bytesOf(header, cells('A')), Buffer.from(`"${'x'.repeat(200_000)}`)]);
    expect(await troubleOf(file)).toMatchObject({ code: 'cell_too_long', line: 3 });
  });

  test('has other headers than its profile, or lacks what the profile leaves open', async () => {
    const own = ownFormatProfile(header.split(','))!;
    const trouble = (profile: Profile) => troubleOf(bytesOf(header, cells('A')), { profile });
    const more = profileSchema.parse({ ...own, headers: [...own.headers, 'Note'], ignored: ['Note'] });
    expect(await trouble(more)).toMatchObject({ code: 'other_headers', column: 'Note', line: 1 });
    expect(await trouble({ ...own, amountForm: null })).toMatchObject({ code: 'undecided_form', column: 'amount' });
    const without = withColumns(own, { amount_side: null });
    expect(await trouble(without)).toMatchObject({ code: 'missing_columns', column: 'amount_side' });
  });

  test('suggests what a header was meant to be', async () => {
    expect((await troubleOf(bytesOf(header.replace('amount_side', 'Amount Side'), cells('A')))).fix).toContain(
      'amount_side',
    );
  });
});
