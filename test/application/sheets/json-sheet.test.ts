import { describe, expect, test } from 'vitest';
import { UnreadableFile } from '../../../application/payment-file/file-problem.ts';
import { openSheet } from '../../../application/sheets/open-sheet.ts';
import { JsonRows } from '../../../application/sheets/json-rows.ts';
import { SHEET_LIMITS } from '../../../application/sheets/sheet.ts';
import { cells, header, rowsOf, troubleOf } from '../payment-files.ts';

const names = header.split(',');
const objectOf = (rowRef: string) =>
  Object.fromEntries(
    cells(rowRef)
      .split(',')
      .map((cell, index) => [names[index] ?? '', cell]),
  );
const json = (value: unknown) => Buffer.from(JSON.stringify(value, null, 2));

describe('rows as JSON', () => {
  test('are read as a sheet with the same columns, each with the number of its object', async () => {
    const { rows } = await rowsOf(json([objectOf('A'), { ...objectOf('B'), bank_name: 'Bank "A" {1}', echo: null }]));
    expect(rows.map(({ line, cells: { row_ref, bank_name } }) => [line, row_ref, bank_name])).toEqual([
      [1, 'A', undefined],
      [2, 'B', 'Bank "A" {1}'],
    ]);
  });

  test.each([
    ['a number', { amount: 10 }, 'amount'],
    ['a number that is exact', { amount: 10.25 }, 'amount'],
    ['yes or no', { echo: true }, 'echo'],
  ])('with %s instead of a text are refused, with their number and name', async (_what, value, column) => {
    expect(await troubleOf(json([objectOf('A'), { ...objectOf('B'), ...value }]))).toMatchObject({
      code: 'json_not_text',
      line: 2,
      column,
    });
  });

  test.each([
    ['a list in an object', '[{"row_ref": ["A"]}]', 'json_not_text'],
    ['an object in an object', '[{"row_ref": {"A": "B"}}]', 'json_not_text'],
    ['a name twice', '[{"row_ref": "A", "row_ref": "B"}]', 'json_file'],
    ['a text in the list', '[{"row_ref": "A"}, "B"]', 'json_file'],
    ['something behind the list', '[{"row_ref": "A"}] x', 'json_file'],
    ['a comma at the end', '[{"row_ref": "A"},]', 'json_file'],
    ['no comma', '[{"row_ref": "A"}{"row_ref": "B"}]', 'json_file'],
    ['no end', '[{"row_ref": "A"}', 'json_file'],
    ['an object without its end', '[{"row_ref": "A"', 'json_file'],
    ['an object in single quotes', "[{'row_ref': 'A'}]", 'json_file'],
    ['no object', '[]', 'empty_file'],
    ['one object and no list', '{"row_ref": "A"}', 'json_file'],
    ['bytes that are not UTF-8', Buffer.from('[{"row_ref": "Jos\xe9"}]', 'latin1'), 'wrong_encoding'],
  ])('are refused with %s', async (_what, text, code) => {
    expect(await troubleOf(Buffer.from(text as string))).toMatchObject({ code });
  });

  test('are no more than a run has, and have no more columns', async () => {
    const limits = { ...SHEET_LIMITS, rows: 1, columns: 1 };
    await expect(openSheet(json([{ a: '1' }, { a: '2' }]), {}, limits)).rejects.toThrow(UnreadableFile);
    await expect(openSheet(json([{ a: '1', b: '2' }]), {}, limits)).rejects.toThrow('names');
  });

  test('are the same wherever their text is cut into pieces', () => {
    const text = JSON.stringify([{ a: '"}\\', b: ']é' }, {}, { a: '{' }]);
    for (let at = 0; at <= text.length; at++) {
      const reader = new JsonRows();
      const rows = [...reader.push(text.slice(0, at)), ...reader.push(text.slice(at))];
      reader.end();
      expect(rows.map((row) => Object.fromEntries(row))).toEqual([{ a: '"}\\', b: ']é' }, {}, { a: '{' }]);
    }
  });
});
