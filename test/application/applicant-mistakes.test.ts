import { describe, expect, test } from 'vitest';
import { checkRevision } from '../../application/onboarding/check-applicants.ts';
import { aFile } from '../domain/onboarding-applicants.ts';
import {
  applicantsOf,
  contextFor,
  csv,
  fileOf,
  header,
  line,
  person,
  places,
  problemsOf,
  yaml,
} from './applicant-files.ts';

/** Mistakes that people make: each is said once, where it is, with the fix that works. */

describe('YAML with a quote that is not closed', () => {
  test.each([
    ['another quote follows', { city: '"Singapore' }],
    ['none follows', { nationality: 'SG', expiry_date: '"2035-01-01' }],
    ['it is an apostrophe', { last_name: "'t Hooft" }],
  ])('is wrong where the quote opens, when %s', async (_, changes) => {
    const text = yaml(changes);
    const opensAt = text.split('\n').findIndex((one) => one.startsWith(`${Object.keys(changes).at(-1)}:`)) + 1;
    const [problem, ...others] = await problemsOf(fileOf(text, 'yaml'));
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code: 'not_yaml', line: opensAt });
    expect(problem?.problem).toContain('the quote that begins this value is not closed');
    expect(problem?.fix).toContain('close it');
  });

  test('is never wrong below the last line', async () => {
    const text = `${yaml()}city: [\n`;
    for (const problem of await problemsOf(fileOf(text, 'yaml'))) {
      expect(problem.line).toBeLessThanOrEqual(text.trimEnd().split('\n').length);
    }
  });
});

describe('a document under another name', () => {
  test('of a column says which name is right, once, and not in each line that it is missing', async () => {
    const file = csv(header.replace('document_passport', 'passport'), line('A'), line('B'));
    const problems = await problemsOf(file, contextFor(['A', 'B']));
    expect(places(problems)).toEqual(['1 passport unknown_field']);
    expect(problems[0]?.fix).toBe('name the column document_passport');
  });

  test('of a key of YAML says to write it under documents, once', async () => {
    const text = yaml()
      .replace('documents:\n  passport: EX-1', 'passport: EX-1')
      .replace('  utility_bill', 'documents:\n  utility_bill');
    expect(places(await problemsOf(fileOf(text, 'yaml')))).toEqual(['23 passport unknown_field']);
  });
});

test.each([
  ['town', 'city'],
  ['Surname', 'last_name'],
  ['phone', 'mobile_number'],
  ['DOB', 'date_of_birth'],
  ['birth_date', 'date_of_birth'],
  ['zip', 'postal_code'],
])('a field that is called %s is said to be %s', async (given, meant) => {
  const [problem] = await problemsOf(csv(`${header},${given}`, `${line('A')},x`), contextFor(['A']));
  expect(problem).toMatchObject({ code: 'unknown_field', fix: `did you mean ${meant}? Else remove it` });
});

describe('a file in other capitals', () => {
  test('is named as it is written, and not said to be unnamed', async () => {
    const files = new Map([...contextFor(['A']).files].map(([name, file]) => [name.replace('bill', 'BILL'), file]));
    const problems = await problemsOf(csv(header, line('A')), contextFor(['A'], { files }));
    expect(places(problems)).toEqual(['2 document_utility_bill document_missing']);
    expect(problems[0]?.fix).toBe('write its name as the file has it: A-BILL.pdf');
  });

  test('is unnamed beside the one that is named', async () => {
    const files = new Map([...contextFor(['A']).files, ['A-BILL.pdf', aFile()]]);
    expect(places(await problemsOf(csv(header, line('A')), contextFor(['A'], { files })))).toEqual([
      'file  document_unnamed',
    ]);
  });
});

describe('new values for a case', () => {
  const problemsWith = async (text: string) => {
    const [current] = await applicantsOf(fileOf(yaml(), 'yaml'));
    const checked = await checkRevision(
      fileOf(text, 'yaml'),
      { current: current!, isCompanyFixed: false },
      contextFor([]),
    );
    return checked.kind === 'refused' ? checked.problems : [];
  };

  test('that cannot be changed are said to be so, also when nothing else is given', async () => {
    expect(places(await problemsWith('email: other@example.com\n'))).toEqual(['1 email fixed_value']);
    expect(places(await problemsWith('applicant_ref: EX-1\n'))).toEqual(['file  nothing_given']);
  });

  test('may repeat a value to have the case prepared again, which the fix of an empty file says', async () => {
    for (const text of ['', 'applicant_ref: EX-1\n'])
      expect((await problemsWith(text))[0]?.fix).toContain('repeat one of its values');
    expect(await problemsWith(`postal_code: "${person.postal_code ?? ''}"\n`)).toEqual([]);
  });

  test('do not remove a document, which is said once', async () => {
    expect(places(await problemsWith('documents:\n  passport: null\n'))).toEqual([
      '2 documents.passport document_removal',
    ]);
  });
});
