import { describe, expect, test } from 'vitest';
import { ownFormatProfile } from '../../domain/import-profiles/own-format.ts';
import { profileSchema } from '../../domain/import-profiles/profile.ts';
import { cells, exceptionsOf, header, rowsOf } from './payment-files.ts';

describe('exceptions.csv of a sheet with a profile', () => {
  const own = ownFormatProfile(header.split(','))!;
  const titled = `Liste;;;;;;;;\n${[header, cells('Müller')].map((line) => line.replaceAll(',', ';')).join('\n')}\n`;

  test.each(['windows-1250', 'windows-1252', 'iso-8859-2'])('in %s is read as it was written', async (encoding) => {
    const profile = profileSchema.parse({ ...own, reading: { encoding, delimiter: ';', headerLine: 2 } });
    const first = await rowsOf(Buffer.from(titled, 'latin1'), { profile });
    expect(first.rows[0]?.cells.row_ref).toBe('Müller');
    const readsOf = ({ rows }: Pick<typeof first, 'rows'>) => rows.map(({ cells: read }) => read);
    const again = rowsOf(Buffer.from(await exceptionsOf(first)), { profile }).then(readsOf);
    await expect(again).resolves.toEqual(readsOf(first));
  });

  test('another file in UTF-8 is read as UTF-8, whatever encoding such files had before', async () => {
    const profile = profileSchema.parse({
      ...own,
      reading: { encoding: 'windows-1250', delimiter: ';', headerLine: 2 },
    });
    expect((await rowsOf(Buffer.from(titled, 'utf8'), { profile })).rows[0]?.cells.row_ref).toBe('Müller');
  });
});
