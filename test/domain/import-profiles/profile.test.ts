import { describe, expect, it, test } from 'vitest';
import { CELL_PART_NAMES, stepsTakenBy } from '../../../domain/import-profiles/column-steps.ts';
import { explainReading } from '../../../domain/import-profiles/explain-reading.ts';
import { compareHeaders, findProfiles, nameHeaders } from '../../../domain/import-profiles/headers.ts';
import { decidesPayees, ownFormatProfile } from '../../../domain/import-profiles/own-format.ts';
import { type ProfileInput, profileSchema, withColumns, withHeaders } from '../../../domain/import-profiles/profile.ts';
import { canonicalProfile, profileHash } from '../../../domain/import-profiles/profile-hash.ts';
import { CSV_COLUMNS, type PaymentColumn } from '../../../domain/payment-file/csv-columns.ts';
import { aProfile, aRecord } from './profiles.ts';

const messageOf = (changes: Partial<ProfileInput>): string => {
  const parsed = profileSchema.safeParse({ name: 'P', headers: ['A', 'B'], columns: {}, ...changes });
  return parsed.success
    ? ''
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n');
};

describe('a profile', () => {
  const ignored = ['A', 'B'];
  const only = (source: object, column = 'bank_name') => ({ columns: { [column]: source }, ignored: ['B'] });

  test.each([
    ['a header that is neither used nor ignored', { ignored: ['A'] }, 'ignored: "B" fills no column'],
    ['a header that is both', { ignored, columns: { echo: { from: ['a'] } } }, 'ignored: "A" is ignored and fills'],
    ['a header that it does not have', { ignored: ['A', 'B', 'C'] }, 'headers: "c" is not a header'],
    ['two equal headers', { headers: ['A', 'a'], ignored: ['A'] }, 'headers: two headers are the same'],
    ['a column that nothing fills', only({}), 'columns.bank_name: nothing fills it'],
    ['one row_ref for all rows', { ignored, columns: { row_ref: { constant: 'X' } } }, 'it differs from row to row'],
    ['one amount for all rows', only({ from: ['A'], constant: '5' }, 'amount'), 'it differs from row to row'],
    ['two sources of an account', only({ from: ['A'], constant: 'DE1' }, 'bank_iban'), 'which account is paid'],
    [
      'two sources of its holder',
      only({ from: ['A'], constant: 'X' }, 'bank_account_holder_name'),
      'which account is paid',
    ],
    ['two sources of a beneficiary', only({ from: ['A'], constant: 'X' }, 'beneficiary_key'), 'which account is paid'],
    ['a translation of who gets it', only({ from: ['A'], translate: { x: 'y' } }, 'bank_iban'), 'is not translated'],
    ['two translations of a text', only({ from: ['A'], translate: { x: 'y', X: 'z' } }), 'two translations'],
    ['steps of an amount', only({ from: ['A'], strip: ['dots'] }, 'amount'), 'read by its form'],
    ['an amount of two headers', { columns: { amount: { from: ['A', 'B'] } } }, 'read by its form'],
    ['a prefix of an IBAN', only({ from: ['A'], prefix: 'DE' }, 'bank_iban'), 'a prefix is for'],
    ['a part for another column', only({ from: ['A'], part: 'iban' }), 'the part "iban" is for bank_iban'],
    ['replaced letters elsewhere', only({ from: ['A'], replaceLetters: true }), 'replaced in row_ref alone'],
    ['a header named twice', only({ from: ['A', 'a'] }), 'a header is named twice'],
    [
      'one sign for both',
      { ignored, amountForm: { decimalSign: '.', groupSeparator: '.' } as const },
      'cannot separate thousands as well',
    ],
  ])('is refused with %s', (_, changes, message) => {
    expect(messageOf(changes as Partial<ProfileInput>)).toContain(message);
  });

  it('is refused with a key or a column that does not exist', () => {
    expect(profileSchema.safeParse({ name: 'P', headers: [], columns: {}, extra: 1 }).success).toBe(false);
    expect(profileSchema.safeParse({ name: 'P', headers: [], columns: { iban: { constant: 'x' } } }).success).toBe(
      false,
    );
  });

  it('has one canonical form, whose hash does not depend on what does not matter', () => {
    const one: ProfileInput = {
      name: 'One',
      headers: ['Betrag', 'IBAN', 'Notiz', 'Ort'],
      ignored: ['ort', 'notiz'],
      columns: { bank_iban: { from: ['iban'], strip: ['dashes', 'blanks', 'dashes'] }, amount: { from: ['Betrag'] } },
    };
    const other: ProfileInput = {
      name: 'Other',
      headers: ['Betrag', 'IBAN', 'Notiz', 'Ort'],
      reading: { encoding: null },
      ignored: ['Notiz', 'Ort'],
      columns: {
        amount: { from: ['Betrag'], between: '-' },
        bank_iban: { from: ['IBAN'], strip: ['blanks', 'dashes'], translate: {} },
      },
    };
    expect(profileHash(one)).toBe(profileHash(other));
    expect(canonicalProfile(canonicalProfile(one))).toEqual(canonicalProfile(one));
    expect(JSON.parse(JSON.stringify(canonicalProfile(one)))).toEqual(canonicalProfile(one));
  });

  test.each([
    { amountForm: { decimalSign: '.', groupSeparator: '' } },
    { reading: { encoding: 'windows-1252' } },
    { ignored: [], columns: { amount: { from: ['Betrag'] }, bank_iban: { from: ['IBAN'] }, echo: { from: ['Ort'] } } },
    { columns: { amount: { from: ['Betrag'] }, bank_iban: { from: ['IBAN'] }, bank_name: { constant: 'x' } } },
    { columns: { amount: { from: ['Betrag'] }, bank_iban: { from: ['IBAN'] }, sell_currency: { constant: 'USD' } } },
  ] as Partial<ProfileInput>[])('has another hash with %j', (change) => {
    const profile: ProfileInput = {
      name: 'P',
      headers: ['Betrag', 'IBAN', 'Ort'],
      ignored: ['Ort'],
      columns: { amount: { from: ['Betrag'] }, bank_iban: { from: ['IBAN'] } },
    };
    expect(profileHash({ ...profile, ...change })).not.toBe(profileHash(profile));
  });
});

test('a profile with other columns ignores what fills none of them', () => {
  const profile = aProfile(['A', 'B', 'C'], { echo: { from: ['A'] }, bank_name: { from: ['B'] } });
  const changed = withColumns(profile, { echo: null, bank_code: { from: ['c'] } });
  expect(changed.ignored).toEqual(['A']);
  expect(changed.columns).toMatchObject({ bank_name: { from: ['B'] }, bank_code: { from: ['c'] } });
  expect(changed.columns.echo).toBeUndefined();
  expect(() => withColumns(profile, { row_ref: { constant: 'x' } })).toThrow('it differs from row to row');
});

test('a profile for other headers ignores what was added, and fills nothing from what is missing', () => {
  const profile = aProfile(['A', 'B', 'C'], { echo: { from: ['A'] }, bank_name: { from: ['B', 'C'] } });
  const changed = withHeaders(profile, ['C', 'a', 'New']);
  expect(changed.headers).toEqual(['C', 'a', 'New']);
  expect(changed.ignored).toEqual(['C', 'New']);
  expect(Object.keys(changed.columns)).toEqual(['echo']);
  expect(profileHash(changed)).not.toBe(profileHash(profile));
});

describe('what a column may do with its cells', () => {
  const isTaken = (column: PaymentColumn, source: object) =>
    profileSchema.safeParse({
      ...{ name: 'P', headers: ['A', 'B'], ignored: 'from' in source ? [] : ['B'] },
      columns: { [column]: { from: ['A'], ...source } },
    }).success;

  test.each(CSV_COLUMNS.map(({ name }) => name))('is what a profile takes: %s', (name) => {
    const { joins, parts, prefixes, translates } = stepsTakenBy(name);
    expect(isTaken(name, { from: ['A', 'B'] })).toBe(joins);
    expect(CELL_PART_NAMES.filter((part) => isTaken(name, { part }))).toEqual(parts);
    expect(isTaken(name, { prefix: 'x' })).toBe(prefixes);
    expect(isTaken(name, { translate: { a: 'b' } })).toBe(translates);
  });
});

describe('the headers of a sheet', () => {
  it('have a name each, also without one and when one comes twice', () => {
    expect(nameHeaders([' Name\n of bank ', '', 'Curr.', 'Amount', 'curr.', 'Curr.', ''])).toEqual([
      'Name of bank',
      'column 2',
      'Curr.',
      'Amount',
      'curr. (2)',
      'Curr. (3)',
      'column 7',
    ]);
    expect(nameHeaders(['A', 'A (2)', 'A'])).toEqual(['A', 'A (2)', 'A (3)']);
  });

  // Some letters become several where they are compared.
  it.each(['x', '\ufdfa'])('have a name each, which fits into a profile, where long ones begin alike: %s', (letter) => {
    const headers = ['a', 'b', 'b'].map((end) => letter.repeat(160) + end);
    const names = nameHeaders(headers);
    expect(new Set(names).size).toBe(3);
    expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(200);
    expect(nameHeaders(names)).toEqual(names);
    expect(compareHeaders(names, headers)).toEqual({ missing: [], added: [], reordered: false });
    expect(compareHeaders([...names, 'Amount'], [...headers, 'Amount']).reordered).toBe(false);
    expect(compareHeaders(['Amount', ...names], [...headers, 'Amount']).reordered).toBe(true);
  });

  test.each([
    [['IBAN', 'Name'], ['Name', 'iban *'], true],
    [['IBAN', 'Name'], ['Name:', 'IBAN'], true],
    [['Curr.', 'Net', 'Curr. (2)', 'Gross'], ['Curr.', 'Net', 'Curr.', 'Gross'], true],
    [['Curr.', 'Net', 'Curr. (2)', 'Gross'], ['Gross', 'Curr.', 'Net', 'Curr.'], false],
    [['IBAN', 'column 2'], ['', 'IBAN'], false],
    [['IBAN', 'Name'], ['IBAN'], false],
    [['IBAN'], ['IBAN', 'Name'], false],
  ])('of %j are those of %j: %s', (profileHeaders, sheetHeaders, isSame) => {
    const { missing, added, reordered } = compareHeaders(profileHeaders, sheetHeaders);
    expect(missing.length === 0 && added.length === 0 && !reordered).toBe(isSame);
  });

  it('find their profile, and similar ones with what differs', () => {
    const one = { name: 'one', headers: ['IBAN', 'Name', 'Amount'] };
    const two = { name: 'two', headers: ['IBAN', 'Name', 'Amount', 'BIC'] };
    const other = { name: 'other', headers: ['Employee', 'Net pay', 'Sort code'] };
    const found = findProfiles([other, two, one], ['Amount', 'IBAN', 'Name']);
    expect(found.exact).toEqual([one]);
    expect(found.similar).toEqual([{ profile: two, difference: { missing: ['BIC'], added: [], reordered: false } }]);
  });
});

describe('a file of our own columns', () => {
  const headers = CSV_COLUMNS.map(({ name }) => name);

  it('is read by a profile that nobody needs to confirm', () => {
    const profile = ownFormatProfile([...headers, 'payrun_status']);
    expect(profile?.ignored).toEqual(['payrun_status']);
    expect(profile && decidesPayees(profile)).toBe(false);
    expect(ownFormatProfile(['Row_Ref', 'AMOUNT'])?.columns.amount?.from).toEqual(['AMOUNT']);
  });

  it('may have constants, and is none with another header', () => {
    const profile = ownFormatProfile(['row_ref', 'amount_side'], { sell_currency: 'USD', amount_side: 'buy' });
    expect(profile?.columns).toMatchObject({
      sell_currency: { constant: 'USD' },
      amount_side: { from: ['amount_side'], constant: 'buy' },
    });
    expect(ownFormatProfile(['row_ref', 'IBAN'])).toBeNull();
    expect(ownFormatProfile(['amount', 'amount'])).toBeNull();
  });

  const own = { amountForm: { decimalSign: '.', groupSeparator: '' } } as const;

  test.each([
    [
      'our own columns',
      ['amount', 'bank_iban'],
      { amount: { from: ['amount'] }, bank_iban: { from: ['bank_iban'] } },
      own,
      false,
    ],
    ['references alone', ['No'], { row_ref: { from: ['No'] }, echo: { constant: 'x' } }, own, false],
    ['an account from another header', ['IBAN'], { bank_iban: { from: ['IBAN'] } }, own, true],
    ['an account from another of our own', ['echo'], { bank_iban: { from: ['echo'] } }, own, true],
    ['a constant account', ['a'], { bank_iban: { constant: 'DE1' } }, own, true],
    ['a constant for empty cells', ['bank_name'], { bank_name: { from: ['bank_name'], constant: 'X' } }, own, true],
    ['a part of a cell', ['bank_iban'], { bank_iban: { from: ['bank_iban'], part: 'iban' } }, own, true],
    ['a translation', ['bank_country'], { bank_country: { from: ['bank_country'], translate: { A: 'B' } } }, own, true],
    ['a known beneficiary', ['Id'], { beneficiary_id: { from: ['Id'] } }, own, true],
    ['a constant currency', ['a'], { buy_currency: { constant: 'EUR' } }, own, true],
    ['a decimal comma', ['amount'], { amount: { from: ['amount'] } }, {}, true],
  ])('a profile with %s decides who gets how much, or does not', (_, theirs, columns, form, decides) => {
    expect(decidesPayees(aProfile(theirs, columns as ProfileInput['columns'], form))).toBe(decides);
  });
});

describe('the reading of three rows', () => {
  it('shows their cells, ours in our order, what was changed, and what is ignored', () => {
    const headers = ['Lieferant', 'IBAN', 'Notiz', 'Betrag'];
    const profile = aProfile(headers, {
      bank_iban: { from: ['IBAN'], strip: ['blanks'] },
      beneficiary_company_name: { from: ['Lieferant'] },
      amount: { from: ['Betrag'] },
      funding_method: { constant: 'PAYNOW' },
    });
    const rows = explainReading(profile, headers, [
      aRecord(['Nordlicht', 'DE89 3704', 'eilig', '1.250,00']),
      aRecord(['', '', '', '']),
      aRecord(['Südwind', 'DE89', '', '12.50'], { line: 4 }),
    ]);
    expect(rows).toMatchObject([
      {
        line: 2,
        ours: [
          { column: 'amount', text: '1250.00', from: [{ header: 'Betrag', cell: '1.250,00' }], isChanged: true },
          { column: 'funding_method', text: 'PAYNOW', from: [], isChanged: false },
          { column: 'beneficiary_company_name', text: 'Nordlicht', isChanged: false },
          { column: 'bank_iban', text: 'DE893704', from: [{ header: 'IBAN', cell: 'DE89 3704' }], isChanged: true },
        ],
        ignored: [{ header: 'Notiz', cell: 'eilig' }],
        problems: [],
      },
      { line: 4, ignored: [], problems: [{ header: 'Betrag', code: 'not_in_form' }] },
    ]);
    expect(rows[0]?.theirs.map(({ header }) => header)).toEqual(headers);
  });
});
