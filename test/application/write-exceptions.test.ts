import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, test } from 'vitest';
import { writeExceptions } from '../../application/runs/write-exceptions.ts';
import { bytesOf, cells, exceptionsOf, header, rowsOf, textOf } from './payment-files.ts';

const recordsOf = (text: string): string[][] => parse(text, { bom: true, record_delimiter: ['\r\n', '\n'] });

describe('exceptions.csv', () => {
  test.each([
    ['=HYPERLINK("x")', '\'=HYPERLINK("x")'],
    ['-5.00', '-5.00'],
    ["'-5.00", "''-5.00"],
    ["'=1", "''=1"],
    ["''=1", "'''=1"],
    ["'quoted", "'quoted"],
    ["o'clock", "o'clock"],
  ])('writes %s as %s', async (cell, expected) => {
    const read = await rowsOf(
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
    const read = await rowsOf(bytesOf(`${header},echo`, `${cells('A')},=1+1`));
    const lines = read.rows.map((row) => ({ cells: row.original, status: 'failed', reason: '@why' }));
    expect(await textOf(writeExceptions(read.header, lines))).toBe(
      `${header},echo,payrun_status,payrun_reason\n${cells('A')},'=1+1,failed,'@why\n`,
    );
  });

  test('is the only file read without its apostrophes: in any other they are part of the cell', async () => {
    const echoOf = async (columns: string, more: string) =>
      (await rowsOf(bytesOf(`${header},echo${columns}`, `${cells('A')},'=1${more}`))).rows[0]?.cells.echo;
    expect(await echoOf('', '')).toBe("'=1");
    expect(await echoOf(',payrun_status', ',failed')).toBe("'=1");
    expect(await echoOf(',payrun_status,payrun_reason', ',failed,why')).toBe('=1');
  });

  test('may have a cell that is as long as a cell may be', async () => {
    const read = await rowsOf(bytesOf(`${header},echo`, `${cells('A')},=${'x'.repeat(9_999)}`));
    const again = await rowsOf(Buffer.from(await exceptionsOf(read)));
    expect(again.rows[0]?.cells.echo).toHaveLength(10_000);
  });
});
