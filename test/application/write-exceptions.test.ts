import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PaymentFileHeader } from '../../application/payment-file/payment-file-header.ts';
import { writeExceptions } from '../../application/runs/write-exceptions.ts';
import type { RawRow } from '../../domain/payment-file/raw-row.ts';
import { bytesOf, cells, header, rowsOf, textOf } from './payment-files.ts';

const anyCell = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from("a,\"''\r\n =+-@é漢 ;\t1.＝＋－＠")), maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replaceAll('\0', '')),
);

/** exceptions.csv of all rows of a file. */
function exceptionsOf(read: { rows: RawRow[]; header: PaymentFileHeader }): Promise<string> {
  const lines = read.rows.map((row) => ({ cells: row.original, status: 'failed', reason: '=why, "so"' }));
  return textOf(writeExceptions(read.header, lines));
}

const recordsOf = (text: string): string[][] => parse(text, { bom: true, record_delimiter: ['\r\n', '\n'] });

describe('exceptions.csv', () => {
  test('of any cells reads as the same cells again, and a spreadsheet runs none of them', async () => {
    const rows = fc.array(fc.tuple(anyCell, anyCell), { minLength: 1, maxLength: 5 });
    const anyName = anyCell.filter((name) => name.trim() !== '');
    await fc.assert(
      fc.asyncProperty(rows, anyName, fc.boolean(), async (pairs, theirName, hasByteOrderMark) => {
        fc.pre(!header.split(',').includes(theirName.trim().toLowerCase()));
        const names = [...header.split(','), theirName, 'echo'];
        const records = pairs.map((pair, index) => [...cells(`R${index}`).split(','), ...pair]);
        const file = Buffer.from((hasByteOrderMark ? '\ufeff' : '') + stringify([names, ...records]));
        const mapping = { [theirName]: 'bank_name' };
        const first = rowsOf(file, { mapping });
        expect(first.rows.map((row) => row.original)).toEqual(records);
        const written = await exceptionsOf(first);
        const second = rowsOf(Buffer.from(written), { mapping });
        expect(second.rows.map((row) => row.cells)).toEqual(first.rows.map((row) => row.cells));
        expect(second.rows.map((row) => row.original.slice(0, -2))).toEqual(records);
        expect(second.header.names.slice(0, -2)).toEqual(names);
        expect(second.header.hasByteOrderMark).toBe(hasByteOrderMark);
        expect(await exceptionsOf(second)).toBe(written);
        for (const cell of recordsOf(written).flat()) {
          if (!/^[+-]?\d+(\.\d+)?$/.test(cell)) expect(cell).not.toMatch(/^[=+\-@\t\r＝＋－＠]/);
        }
      }),
      { seed: 31, numRuns: 300 },
    );
  });

  test.each([
    ['=HYPERLINK("x")', '\'=HYPERLINK("x")'],
    ['-5.00', '-5.00'],
    ["'-5.00", "''-5.00"],
    ["'=1", "''=1"],
    ["''=1", "'''=1"],
    ["'quoted", "'quoted"],
    ["o'clock", "o'clock"],
  ])('writes %s as %s', async (cell, expected) => {
    const read = rowsOf(
      Buffer.from(
        stringify([
          [...header.split(','), 'echo'],
          [...cells('A').split(','), cell],
        ]),
      ),
    );
    expect(recordsOf(await exceptionsOf(read))[1]?.at(-3)).toBe(expected);
  });

  test('has the statuses and reasons, without formulas', async () => {
    const read = rowsOf(bytesOf(`${header},echo`, `${cells('A')},=1+1`));
    const lines = read.rows.map((row) => ({ cells: row.original, status: 'failed', reason: '@why' }));
    expect(await textOf(writeExceptions(read.header, lines))).toBe(
      `${header},echo,payrun_status,payrun_reason\n${cells('A')},'=1+1,failed,'@why\n`,
    );
  });

  test('is the only file read without its apostrophes: in any other they are part of the cell', () => {
    const echoOf = (columns: string, more: string) =>
      rowsOf(bytesOf(`${header},echo${columns}`, `${cells('A')},'=1${more}`)).rows[0]?.cells.echo;
    expect(echoOf('', '')).toBe("'=1");
    expect(echoOf(',payrun_status', ',failed')).toBe("'=1");
    expect(echoOf(',payrun_status,payrun_reason', ',failed,why')).toBe('=1');
  });

  test('may have a cell that is as long as a cell may be', async () => {
    const read = rowsOf(bytesOf(`${header},echo`, `${cells('A')},=${'x'.repeat(9_999)}`));
    expect(rowsOf(Buffer.from(await exceptionsOf(read))).rows[0]?.cells.echo).toHaveLength(10_000);
  });
});
