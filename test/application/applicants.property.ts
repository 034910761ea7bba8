import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ApplicantsFile } from '../../application/onboarding/applicants-file.ts';
import { checkApplicants, checkRevision } from '../../application/onboarding/check-applicants.ts';
import { readApplicants } from '../../application/onboarding/read-applicants.ts';
import { APPLICANT_FIELDS, type ApplicantKey, applicantValues } from '../../domain/onboarding/applicant-fields.ts';
import { readDay } from '../../domain/onboarding/check-day.ts';
import { aCompany, anIndividual, termsWith, validOf } from '../domain/onboarding-applicants.ts';
import { contextFor, fileOf } from './applicant-files.ts';

const key = fc.constantFrom(...APPLICANT_FIELDS.map((field) => field.key));

/** Any text that a file can hold, also one that a format could take for something else. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
  fc.stringMatching(/^[\d.+eExX_:-]{1,12}$/),
  fc.constantFrom('no', 'yes', 'null', '~', 'true', '007', '1990-12-31', '.inf', '0o7', '1_000', '<<', '[a]', '{a: b}'),
);
const values = fc.dictionary(key, text, { minKeys: 1 });

/** The values of the only applicant of a file, without looking at what they mean. */
async function readBack(file: ApplicantsFile): Promise<Record<string, string | null>> {
  const { applicants, problems } = await readApplicants(file, { isComplete: false });
  expect(problems).toEqual([]);
  expect(applicants).toHaveLength(1);
  return Object.fromEntries([...(applicants?.[0]?.values ?? [])].map(([name, value]) => [name, value.text]));
}

const isFilled = (cell: string) => cell.trim() !== '';

describe('every text comes back as it was written', () => {
  test('in JSON', async () => {
    await fc.assert(
      fc.asyncProperty(values, fc.constantFrom(undefined, 2, '\t'), async (given, indent) => {
        expect(await readBack(fileOf(JSON.stringify(given, null, indent), 'json'))).toEqual({ ...given });
      }),
    );
  });

  test('in quoted YAML', async () => {
    await fc.assert(
      fc.asyncProperty(values, async (given) => {
        const lines = Object.entries(given).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
        expect(await readBack(fileOf(lines.join('\n'), 'yaml'))).toEqual({ ...given });
      }),
    );
  });

  test('in YAML without quotes, of letters, digits and signs of numbers and days', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(key, fc.stringMatching(/^[A-Za-z\d][\w.+/-]{0,20}$/), { minKeys: 1 }),
        async (given) => {
          const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}`);
          const isNull = (value: string) => /^(?:null|Null|NULL)$/.test(value);
          const expected = Object.fromEntries(
            Object.entries(given).map(([name, value]) => [name, isNull(value) ? null : value]),
          );
          expect(await readBack(fileOf(lines.join('\n'), 'yaml'))).toEqual(expected);
        },
      ),
    );
  });

  test('in a CSV, where blank cells are not given', async () => {
    await fc.assert(
      fc.asyncProperty(values, async (given) => {
        fc.pre(Object.values(given).some(isFilled));
        // A second column, so that the file has a comma.
        const names = [...Object.keys(given), 'document_photo'];
        const csv = stringify([names, [...Object.values(given), 'x']], { quoted: true });
        const filled = Object.fromEntries(Object.entries(given).filter(([, cell]) => isFilled(cell)));
        expect(await readBack(fileOf(csv, 'sheet'))).toEqual(filled);
      }),
    );
  });
});

describe('whatever a file holds', () => {
  const format = fc.constantFrom('yaml' as const, 'json' as const, 'sheet' as const);
  const pieces = [
    'email',
    ': ',
    ':',
    '\n',
    '  ',
    '- ',
    '? ',
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '#',
    ' #',
    '&a ',
    '*a',
    '!t ',
    '|',
  ];
  const moreOfThem = [
    '>',
    '%',
    '@',
    '`',
    ',',
    ';',
    '\t',
    '---\n',
    '...\n',
    '<<',
    'null',
    '1',
    'documents',
    'passport',
    '\r\n',
  ];
  const structure = fc
    .array(fc.constantFrom(...pieces, ...moreOfThem), { maxLength: 40 })
    .map((parts) => Buffer.from(parts.join('')));
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 200 }), structure);

  test('it is checked without a failure, and refused with problems that say what to do', async () => {
    await fc.assert(
      fc.asyncProperty(format, bytes, async (kind, content) => {
        const checked = await checkApplicants(fileOf(content, kind), contextFor([]));
        if (checked.kind === 'valid') throw new Error('a file without values was accepted');
        expect(checked.problemCount).toBeGreaterThan(0);
        for (const { problem, fix } of checked.problems) expect([problem, fix]).not.toContain('');
      }),
      { numRuns: 2_000 },
    );
  });

  test('JSON is accepted exactly where it is JSON', async () => {
    const damaged = fc
      .tuple(
        fc.json({ maxDepth: 3 }),
        fc.nat(),
        fc.constantFrom('', '"', ',', '}', ']', '0', '-', 'e', '\\', '\n', 'x'),
      )
      .map(([json, at, sign]) => {
        const place = at % (json.length + 1);
        return `${json.slice(0, place)}${sign}${json.slice(sign === '' ? place + 1 : place)}`;
      });
    const isJson = (json: string) => {
      try {
        JSON.parse(json);
        return true;
      } catch {
        return false;
      }
    };
    await fc.assert(
      fc.asyncProperty(damaged, async (json) => {
        fc.pre(json.trim() !== '');
        const { problems } = await readApplicants(fileOf(json, 'json'), { isComplete: true });
        expect(problems.some(({ code }) => code === 'not_json')).toBe(!isJson(json));
      }),
      { numRuns: 2_000 },
    );
  });
});

test('a day is the same in both of its forms', () => {
  const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(day, (date) => {
      const iso = date.toISOString().slice(0, 10);
      expect([readDay(iso), readDay(iso.split('-').reverse().join('-'))]).toEqual([iso, iso]);
    }),
  );
});

test('new values that are those in the database change nothing', async () => {
  const { countries, requirements, today } = termsWith();
  const context = { countries, requirements, today, files: new Map() };
  const current = fc.constantFrom(validOf(anIndividual({ city: 'A', language: 'id' })), validOf(aCompany()));
  await fc.assert(
    fc.asyncProperty(current, fc.func(fc.boolean()), async (applicant, isGiven) => {
      const same = Object.entries(applicantValues(applicant)).filter(([name]) => isGiven(name));
      const given = Object.fromEntries([...same, ['postal_code', applicant.details.postalCode]]) as Record<
        ApplicantKey,
        string
      >;
      const checked = await checkRevision(
        fileOf(JSON.stringify(given), 'json'),
        { current: applicant, isCompanyFixed: true },
        context,
      );
      expect(checked).toEqual({ kind: 'valid', applicant, newDocuments: [], contentTypes: new Map() });
    }),
  );
});
