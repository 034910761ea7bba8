import { describe, expect, test } from 'vitest';
import { applicantsOf, contextFor, fileOf, places, problemsOf, yaml } from './applicant-files.ts';

describe('an applicant in YAML', () => {
  const yamlFile = (changes: Parameters<typeof yaml>[0]) => fileOf(yaml(changes), 'yaml');

  test('has every scalar as the text that was written', async () => {
    const [applicant] = await applicantsOf(
      yamlFile({
        postal_code: '007',
        date_of_birth: '1990-12-31',
        last_name: 'no',
        first_name: 'Yes',
        city: '1_000',
        state: '0x1F',
        occupation: '12:30:45',
        identification_number: '1.10',
      }),
    );
    expect(applicant?.details).toMatchObject({
      postalCode: '007',
      dateOfBirth: '1990-12-31',
      lastName: 'no',
      firstName: 'Yes',
      city: '1_000',
      state: '0x1F',
      occupation: '12:30:45',
      identificationNumber: '1.10',
    });
  });

  test('may be of YAML 1.1, whose numbers and truth values are others', async () => {
    const [applicant] = await applicantsOf(
      fileOf(`%YAML 1.1\n---\n${yaml({ postal_code: '017', last_name: 'NO' })}`, 'yaml'),
    );
    expect(applicant?.details).toMatchObject({ postalCode: '017', lastName: 'NO' });
  });

  test.each(['~', 'null', 'Null', 'NULL', ''])('has no value where it has %j, unless it is in quotes', async (text) => {
    expect((await applicantsOf(yamlFile({ city: text })))[0]?.details.city).toBeUndefined();
    expect((await applicantsOf(yamlFile({ last_name: '"Null"' })))[0]?.details.lastName).toBe('Null');
  });

  test('may have a byte order mark, CRLF, keys in capitals, folded text and comments on lines of their own', async () => {
    const text = `# first\n${yaml({ residential_address: '>-\n  1 Example Road\n  #01-01' })}# last\n`;
    const file = fileOf(`\ufeff${text.replace('email:', 'Email:').replaceAll('\n', '\r\n')}`, 'yaml');
    expect((await applicantsOf(file))[0]?.details.residentialAddress).toBe('1 Example Road #01-01');
  });

  test('loses nothing to a comment: an address with # must be in quotes', async () => {
    expect(places(await problemsOf(yamlFile({ residential_address: 'Blk 12 #04-15' })))).toEqual([
      '12 residential_address comment_after_value',
    ]);
    expect(places(await problemsOf(yamlFile({ residential_address: '#04-15' })))).toEqual([
      '12 residential_address comment_after_value',
    ]);
    expect(await applicantsOf(yamlFile({ residential_address: '"Blk 12 #04-15" # home' }))).toHaveLength(1);
  });

  test('has the line of each key', async () => {
    const problems = await problemsOf(fileOf(`# c\n\n${yaml({ gender: 'f', nationality: 'x' })}`, 'yaml'));
    expect(places(problems)).toEqual(['10 gender unknown_choice', '12 nationality country_form']);
  });

  const deep = (unit: string) => unit.repeat(Math.floor(60_000 / unit.length));
  const cases: [string, string, string[]][] = [
    ['is empty', '', ['1  empty_file']],
    ['has comments alone', '# nothing\n', ['1  empty_file']],
    ['has a mark alone', '---\n', ['1  empty_file']],
    ['is an empty map', '{}', []],
    ['is a text', 'Ana Muestra\n', ['file  not_an_applicant']],
    ['is a list', '- applicant_ref: A\n- applicant_ref: B\n', ['file  several_applicants']],
    ['has several documents', `${yaml()}---\n${yaml()}`, ['26  several_applicants']],
    ['has a key twice', yaml({ Email: 'b@example.com' }), ['23 email repeated_field']],
    ['has a colon in a value', yaml({ city: 'Unit 3: North' }), ['23  not_yaml']],
    ['has an open quote', 'email: "ana\n', ['1  not_yaml']],
    ['is indented with tabs', 'email: a\n\tcity: b\n', ['2  not_yaml']],
    ['has an anchor', yaml({ city: '&here Singapore' }), ['23 city yaml_alias']],
    ['has an alias', yaml({ city: '*here' }), ['23 city yaml_alias']],
    ['merges another map', yaml({ '<<': '{city: A}' }), ['23 << unknown_field']],
    ['has a tag', yaml({ postal_code: '!!int 007' }), ['14 postal_code yaml_tag']],
    ['has a tag of its own', yaml({ city: '!place Singapore' }), ['23 city yaml_tag']],
    ['has a list as a value', yaml({ gender: '[female]' }), ['8 gender not_text']],
    ['has a group as a value', yaml({ city: '{a: b}' }), ['23 city not_text']],
    ['has a key that is a list', yaml({ '? [a]\n': 'b' }), ['23  not_an_applicant']],
    ['has an unknown key', yaml({ nick: 'x' }), ['23 nick unknown_field']],
    ['has a password', yaml({ password: 'geheim123' }), ['23 password password_given']],
    ['has a password by another name', yaml({ 'User-Pass Word': 'x' }), ['23 user-pass word password_given']],
    ['names a document as a column', yaml({ document_photo: 'x.png' }), ['23 document_photo unknown_field']],
    ['names a document outside', yaml({ nric: 'x.png' }), ['23 nric unknown_field']],
    ['is nested without end', deep('['), ['1  not_yaml']],
    ['is nested without end in blocks', deep('- '), ['1  not_yaml']],
    ['has keys without end', deep('? '), ['1  not_yaml']],
    ['is too large', `# ${'x'.repeat(64 * 1024)}`, ['file  file_too_large']],
    ['is not UTF-8', 'zero\0', ['1  zero_byte']],
  ];

  test.each(cases)('%s', async (_what, text, expected) => {
    const problems = await problemsOf(fileOf(text, 'yaml'));
    if (expected.length > 0) expect(places(problems).slice(0, 5)).toEqual(expected);
    expect(problems.every(({ fix }) => fix !== '')).toBe(true);
  });

  test('does not show a password', async () => {
    expect(JSON.stringify(await problemsOf(yamlFile({ password: 'geheim123' })))).not.toContain('geheim123');
  });

  test('names several wrong lines of YAML at once', async () => {
    expect(places(await problemsOf(fileOf('a: @x\nb: c: d\n', 'yaml'))).map((place) => place[0])).toEqual(['1', '2']);
  });

  const documents = async (text: string) =>
    places(await problemsOf(fileOf(yaml().replace(/documents:[^]*/, text), 'yaml'), contextFor([])));

  test('shows names without invisible characters, and shortened', async () => {
    const names = (await problemsOf(fileOf(yaml({ '"a\\u202eb"': 'x', ['k'.repeat(200)]: 'y' }), 'yaml'))).map(
      ({ field }) => field,
    );
    expect(names).toEqual(['a\\u202eb', `${'k'.repeat(80)}…`]);
  });

  test('may have comments behind keys and quoted values', async () => {
    const text = yaml({ city: '"A" # home' }).replace('documents:', 'documents: # scans');
    expect(await applicantsOf(fileOf(text, 'yaml'))).toHaveLength(1);
  });

  test('has documents by their types', async () => {
    const required = ['file documents.passport document_required', 'file documents.utility_bill document_required'];
    expect(await documents('')).toEqual(required);
    expect(await documents('documents:\n')).toEqual(required);
    expect(await documents('documents: [a.pdf]\n')).toEqual([...required, '23 documents not_text']);
    expect(await documents('documents: a.pdf\n')).toEqual([...required, '23 documents not_text']);
    expect(await documents('documents:\n  pasport: a.pdf\n')).toEqual([
      required[1],
      '24 documents.pasport unknown_document',
    ]);
    expect(await documents('documents:\n  photo: [a]\n')).toEqual([...required, '24 documents.photo not_text']);
    expect(await documents('documents: {photo: a, Photo: b}\n')).toEqual([
      ...required,
      '23 documents.photo repeated_field',
      '23 documents.photo document_missing',
    ]);
  });
});

describe('an applicant in JSON', () => {
  const json = (changes: Record<string, unknown> = {}) => {
    const entries = yaml()
      .split('\n')
      .flatMap((text) => {
        const [, key = '', value] = /^(\w+): (.+)$/.exec(text) ?? [];
        return value === undefined ? [] : [[key, JSON.parse(value) as string] as const];
      });
    const documents = { passport: 'EX-1-passport.pdf', utility_bill: 'EX-1-bill.pdf' };
    return JSON.stringify({ ...Object.fromEntries(entries), documents, ...changes }, null, 2);
  };

  test('has numbers as they are written', async () => {
    const text = json({ postal_code: 'N' }).replace('"N"', '1.50e3');
    expect((await applicantsOf(fileOf(text, 'json')))[0]?.details.postalCode).toBe('1.50e3');
  });

  test('may have escapes, and null for what is not given', async () => {
    const text = json({ city: null, last_name: 'X' }).replace('"X"', '"N\\u00fa\\u00f1ez \\ud842\\udfb7"');
    expect((await applicantsOf(fileOf(text, 'json')))[0]?.details).toMatchObject({ lastName: 'Núñez 𠮷' });
  });

  const cases: [string, string, string[]][] = [
    ['is empty', ' ', ['1  empty_file']],
    ['is null', 'null', ['file  not_an_applicant']],
    ['is a text', '"Ana"', ['file  not_an_applicant']],
    ['is a list', '[\n{"applicant_ref": "A"}]', ['file  several_applicants']],
    ['has a list as a value', json({ city: ['A'] }), ['28 city not_text']],
    ['has a key twice', json().replace('"gender"', '"email": "x",\n"gender"'), ['9 email repeated_field']],
    ['has a comma too many', '{\n"city": "A",\n}', ['3  not_json']],
    ['lacks a comma', '{\n"city": "A"\n"state": "B"}', ['3  not_json']],
    ['lacks a colon', '{"city" "A"}', ['1  not_json']],
    ['lacks a value', '{"city": }', ['1  not_json']],
    ['lacks its end', '{"city": "A"\n', ['2  not_json']],
    ['goes on after its end', '{}\n{}', ['2  not_json']],
    ['has single quotes', "{'city': 'A'}", ['1  not_json']],
    ['has a comment', '{\n// home\n"city": "A"}', ['2  not_json']],
    ['has a number with zeros', '{"postal_code": 007}', ['1  not_json']],
    ['has a word that is no value', '{"city": nil}', ['1  not_json']],
    ['has a line break in a text', '{"city": "A\nB"}', ['1  not_json']],
    ['is nested without end', '['.repeat(60_000), ['1  not_json']],
    ['has groups without end', '{"a":'.repeat(10_000), ['1  not_json']],
    ['has its keys without quotes', '{city: "A"}', ['1  not_json']],
  ];

  test.each(cases)('%s', async (_what, text, expected) => {
    expect(places(await problemsOf(fileOf(text, 'json')))).toEqual(expected);
  });

  test('of several applicants is told to be a CSV', async () => {
    expect((await problemsOf(fileOf('[{}]', 'json')))[0]?.fix).toContain('CSV');
  });
});
