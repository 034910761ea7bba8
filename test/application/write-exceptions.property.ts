import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameHeaders } from '../../domain/import-profiles/headers.ts';
import { ownFormatProfile } from '../../domain/import-profiles/own-format.ts';
import { type Profile, profileSchema } from '../../domain/import-profiles/profile.ts';
import { cells, exceptionsOf, header, rowsOf } from './payment-files.ts';

const anyCell = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from("a,\"''\r\n =+-@é漢 ;|\t1.＝＋－＠")), maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replaceAll('\0', '')),
);

const recordsOf = (text: string): string[][] => parse(text, { bom: true, record_delimiter: ['\r\n', '\n'] });

/** Our columns, and a header of theirs for the name of the bank. */
function profileFor(names: readonly string[], theirName: string): Profile {
  const [their] = nameHeaders(names).slice(-2);
  const own = ownFormatProfile(names.filter((name) => name !== theirName))!;
  return profileSchema.parse({
    ...own,
    headers: nameHeaders(names),
    columns: { ...own.columns, bank_name: { from: [their] } },
    reading: { encoding: 'utf-8', delimiter: ',', headerLine: 1 },
  });
}

test('exceptions.csv of any cells reads as the same cells again, and a spreadsheet runs none of them', async () => {
  const rows = fc.array(fc.tuple(anyCell, anyCell), { minLength: 1, maxLength: 5 });
  const anyName = anyCell.filter((name) => /\p{L}/u.test(name));
  await fc.assert(
    fc.asyncProperty(rows, anyName, fc.boolean(), async (pairs, theirName, hasByteOrderMark) => {
      fc.pre(!header.split(',').includes(theirName.trim().toLowerCase()));
      const names = [...header.split(','), theirName, 'echo'];
      const records = pairs.map((pair, index) => [...cells(`R${index}`).split(','), ...pair]);
      const file = Buffer.from((hasByteOrderMark ? '\ufeff' : '') + stringify([names, ...records]));
      const profile = profileFor(names, theirName);
      const first = await rowsOf(file, { profile });
      expect(first.rows.map((row) => row.original)).toEqual(records);
      const written = await exceptionsOf(first);
      const second = await rowsOf(Buffer.from(written), { profile });
      expect(second.rows.map((row) => row.cells)).toEqual(first.rows.map((row) => row.cells));
      expect(second.rows.map((row) => row.original)).toEqual(records);
      expect(second.header.names).toEqual(first.header.names);
      expect(second.header.hasByteOrderMark).toBe(hasByteOrderMark);
      expect(await exceptionsOf(second)).toBe(written);
      for (const cell of recordsOf(written).flat()) {
        if (/^[+-]?\d+(\.\d+)?$/.test(cell)) continue;
        expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
        // As a spreadsheet reads it whose lists have another separator.
        expect(cell).not.toMatch(/[;|\t\r\n][=+\-@＝＋－＠]/);
      }
    }),
    { seed: 31, numRuns: 300 },
  );
});
