import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tableUnder } from '../helpers/document-tables.ts';
import { ROOT } from './document-pages.ts';

/** How many sections each chapter of ASVS 5.0.0 has; the last one is one row. */
const SECTIONS = [5, 4, 7, 4, 4, 8, 6, 4, 2, 7, 7, 3, 4, 3, 4, 5];

const ROWS = tableUnder('security.md', 'ASVS, level 2').map((row) => ({
  section: (row['section'] ?? '').split(' ')[0] ?? '',
  met: row['met'] ?? '',
  tests: [...(row['by what, with its test; or what is missing'] ?? '').matchAll(/test\/[\w./-]+\.\w+\.ts/g)].map(
    ([file]) => file,
  ),
}));

describe('the table of ASVS', () => {
  it('has every section of every chapter, in their order', () => {
    const sections = SECTIONS.flatMap((count, chapter) =>
      Array.from({ length: count }, (_, section) => `V${chapter + 1}.${section + 1}`),
    );
    expect(ROWS.map(({ section }) => section)).toEqual([...sections, 'V17']);
  });

  it.each(ROWS)('$section is met by something with a test that exists, or not', ({ met, tests }) => {
    expect(['yes', 'partly', 'no', '–']).toContain(met);
    if (met === 'yes') expect(tests).not.toEqual([]);
    expect(tests.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
