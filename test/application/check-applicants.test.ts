import { beforeAll, describe, expect, test } from 'vitest';
import { checkApplicants, checkRevision } from '../../application/onboarding/check-applicants.ts';
import type { Applicant } from '../../domain/onboarding/applicant.ts';
import { aFile } from '../domain/onboarding-applicants.ts';
import { applicantsOf, contextFor, csv, fileOf, header, line, places, problemsOf, yaml } from './applicant-files.ts';

describe('applicants without mistakes', () => {
  test('are answered in the order of the file, with the content type of every document', async () => {
    const checked = await checkApplicants(csv(header, line('B'), line('A')), contextFor(['A', 'B']));
    if (checked.kind === 'refused') throw new Error(JSON.stringify(checked.problems));
    expect(checked.applicants.map(({ applicantRef }) => applicantRef)).toEqual(['B', 'A']);
    expect([...checked.contentTypes].sort()).toEqual([
      ['A-bill.pdf', 'application/pdf'],
      ['A-passport.pdf', 'application/pdf'],
      ['B-bill.pdf', 'application/pdf'],
      ['B-passport.pdf', 'application/pdf'],
    ]);
  });

  test('are the same in a CSV, in YAML and in JSON', async () => {
    const documents = { passport: 'EX-1-passport.pdf', utility_bill: 'EX-1-bill.pdf' };
    const fromYaml = await applicantsOf(fileOf(yaml(), 'yaml'));
    const values = Object.fromEntries(
      yaml()
        .split('\n')
        .flatMap((text) => {
          const [, key = '', value] = /^(\w+): (.+)$/.exec(text) ?? [];
          return value === undefined ? [] : [[key, JSON.parse(value) as string]];
        }),
    );
    expect(await applicantsOf(fileOf(JSON.stringify({ ...values, documents }, null, '\t'), 'json'))).toEqual(fromYaml);
    expect(await applicantsOf(csv(header, line('EX-1', { email: 'ana@example.com' })))).toEqual(fromYaml);
  });
});

describe('a refused file', () => {
  test('names the mistakes of all lines at once, in the order of the file', async () => {
    const file = csv(
      `${header},nickname`,
      `${line('A', { gender: 'f', nationality: 'sp' })},x`,
      `${line('B')},x`,
      `${line('C', { applicant_ref: 'no blanks', postal_code: '' })},x`,
    );
    expect(places(await problemsOf(file, contextFor(['A', 'B', 'C'])))).toEqual([
      '1 nickname unknown_field',
      '2 gender unknown_choice',
      '2 nationality country_form',
      '4 applicant_ref reference_form',
      '4 postal_code missing_value',
    ]);
  });

  test('names file, line, applicant, field, value, problem and fix', async () => {
    expect(await problemsOf(csv(header, line('A', { gender: 'f' })), contextFor(['A']))).toEqual([
      {
        code: 'unknown_choice',
        file: 'a.csv',
        line: 2,
        applicantRef: 'A',
        field: 'gender',
        value: 'f',
        problem: 'gender is not one of the values that the provider accepts',
        fix: 'use one of: male, female',
      },
    ]);
  });

  test('lists the first 1,000 mistakes and counts all', async () => {
    const refs = Array.from({ length: 1_100 }, (_, index) => `R${index}`);
    const checked = await checkApplicants(
      csv(header, ...refs.map((ref) => line(ref, { gender: '?' }))),
      contextFor(refs),
    );
    if (checked.kind === 'valid') throw new Error('unexpected');
    expect(checked.problemCount).toBe(1_100);
    expect(checked.problems).toHaveLength(1_000);
    expect(checked.problems.at(-1)).toMatchObject({ line: 1_001, applicantRef: 'R999' });
  });
});

describe('what is in a file twice is a mistake at both places', () => {
  const twice = async (changes: Parameters<typeof line>[1], other: Parameters<typeof line>[1]) =>
    await problemsOf(csv(header, line('A', changes), line('B', other), line('C')), contextFor(['A', 'B', 'C']));

  test.each([
    ['a reference', { applicant_ref: 'X' }, { applicant_ref: ' X ' }, 'applicant_ref repeated_reference'],
    ['a mail address', { email: 'x@example.com' }, { email: 'X@Example.com' }, 'email repeated_email'],
  ])('%s', async (_what, changes, other, problem) => {
    const problems = await twice(changes, other);
    expect(places(problems)).toEqual([`2 ${problem}`, `3 ${problem}`]);
    expect(problems.map((each) => each.problem.slice(0, 6))).toEqual(['line 3', 'line 2']);
  });

  test('but references that differ in case are two', async () => {
    expect(
      await applicantsOf(csv(header, line('a'), line('A', { email: 'b@example.com' })), contextFor(['a', 'A'])),
    ).toHaveLength(2);
  });

  test('a user who is taken over', async () => {
    const file = csv(`${header},provider_user_id`, `${line('A')},u-1`, `${line('B')},u-1`);
    expect(places(await problemsOf(file, contextFor(['A', 'B'])))).toEqual([
      '2 provider_user_id repeated_user',
      '3 provider_user_id repeated_user',
    ]);
  });

  test('a document, of which one person could be sent as another', async () => {
    const file = csv(header, line('A'), line('B').replace('B-passport.pdf', 'A-passport.pdf'));
    const context = contextFor(['A', 'B']);
    expect(places(await problemsOf(file, context))).toEqual([
      '2 document_passport document_repeated',
      '3 document_passport document_repeated',
      'file  document_unnamed',
    ]);
  });
});

describe('the files given', () => {
  test('must each be named by an applicant; the problem names the file', async () => {
    const files = new Map([...contextFor(['A']).files, ['z.pdf', aFile()], ['b.pdf', aFile()]]);
    expect(await problemsOf(csv(header, line('A')), contextFor(['A'], { files }))).toMatchObject([
      { code: 'document_unnamed', file: 'b.pdf', line: null, field: null },
      { code: 'document_unnamed', file: 'z.pdf', line: null, field: null },
    ]);
  });

  test('are not said to be unnamed where the column of a document is misspelt', async () => {
    const file = csv(header.replace('document_passport', 'document_pasport'), line('A'));
    const problems = await problemsOf(file, contextFor(['A']));
    // Nor that the document is missing.
    expect(places(problems)).toEqual(['1 document_pasport unknown_document']);
    expect(problems[0]?.fix).toContain('document_passport');
  });

  test('are not looked at where the file of the applicants cannot be read', async () => {
    expect(places(await problemsOf(csv('1;2', 'a;b')))).toEqual(['1  no_header']);
  });
});

describe('new values for a case', () => {
  let current: Applicant | undefined;
  beforeAll(async () => {
    [current] = await applicantsOf(fileOf(yaml({ city: 'Singapore' }), 'yaml'));
  });
  const revise = async (content: string, format: 'yaml' | 'json' | 'sheet', context = contextFor([])) =>
    await checkRevision(fileOf(content, format), { current: current!, isCompanyFixed: false }, context);
  const refusalOf = async (...args: Parameters<typeof revise>) => {
    const checked = await revise(...args);
    if (checked.kind === 'valid') throw new Error('unexpected');
    return places(checked.problems);
  };

  test.each([
    ['yaml', 'postal_code: 000202\ncity: null\n'],
    ['json', '{"postal_code": "000202", "city": null}'],
  ] as const)('in %s name only what changes, and null removes', async (format, content) => {
    const { city, ...details } = current!.details;
    expect(city).toBe('Singapore');
    expect(await revise(content, format)).toEqual({
      kind: 'valid',
      applicant: { ...current, details: { ...details, postalCode: '000202' } },
      newDocuments: [],
      contentTypes: new Map(),
    });
  });

  test('in a CSV need no other columns, and an empty cell changes nothing', async () => {
    const checked = await revise('postal_code,city\n000202,\n', 'sheet');
    expect(checked).toMatchObject({ applicant: { details: { postalCode: '000202', city: 'Singapore' } } });
  });

  test('can be documents alone', async () => {
    const context = contextFor([], { files: new Map([['new.pdf', aFile()]]) });
    expect(await revise('documents: {passport: new.pdf}\n', 'yaml', context)).toMatchObject({
      kind: 'valid',
      newDocuments: [{ slot: 'passport', documentType: 'passport', fileName: 'new.pdf' }],
      contentTypes: new Map([['new.pdf', 'application/pdf']]),
    });
  });

  test.each([
    ['give something', '{}', 'json', ['file  nothing_given']],
    ['are more than the reference', 'applicant_ref: EX-1\n', 'yaml', ['file  nothing_given']],
    ['are not empty', '\n', 'yaml', ['1  empty_file']],
    ['are of one applicant', 'city\nA\nB\n', 'sheet', ['3  several_applicants']],
    ['have no empty text', '{"city": ""}', 'json', ['1 city empty_value']],
    ['change no mail address', 'email: b@example.com\ncity: A\n', 'yaml', ['1 email fixed_value']],
    ['are of this case', 'applicant_ref: EX-2\ncity: A\n', 'yaml', ['1 applicant_ref other_reference']],
    ['have known names', 'citty: A\n', 'yaml', ['1 citty unknown_field']],
    ['have no password', 'password: geheim123\n', 'yaml', ['1 password password_given']],
    [
      'have their mistakes named at once',
      'gender: f\ndocuments:\n  photo: gone.png\n  nric: ~\n',
      'yaml',
      ['1 gender unknown_choice', '3 documents.photo document_missing', '4 documents.nric document_removal'],
    ],
  ] as const)('%s', async (_rule, content, format, problems) => {
    expect(await refusalOf(content, format)).toEqual(problems);
  });

  test('name every file that is given with them', async () => {
    const context = contextFor([], { files: new Map([['stray.pdf', aFile()]]) });
    expect(await refusalOf('city: A\n', 'yaml', context)).toEqual(['file  document_unnamed']);
  });
});
