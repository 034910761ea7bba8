import { describe, expect, test } from 'vitest';
import {
  isPlainlyOurs,
  isSameSource,
  leftToDecide,
  namedAfter,
  opennessOf,
  type Profile,
  type Proposal,
  readProfileFile,
  shownColumns,
  sourceFrom,
  sourceWithConstant,
  withSource,
} from '../../console/payment-file/reading-profile.ts';
import { NOTHING } from '../../domain/import-profiles/proposed-source.ts';
import { profileSchema } from '../../domain/import-profiles/profile.ts';
import { CSV_COLUMNS } from '../../domain/payment-file/csv-columns.ts';

const HEADERS = ['Rechnung', 'Betrag', 'Brutto', 'Lieferant', 'Zusatz'];

const PROFILE: Profile = profileSchema.parse({
  name: 'Suppliers',
  headers: HEADERS,
  ignored: ['Brutto', 'Lieferant', 'Zusatz'],
  columns: { row_ref: { from: ['Rechnung'] }, amount: { from: ['Betrag'] } },
  amountForm: { decimalSign: ',', groupSeparator: '.' },
  dateForm: { order: 'dmy', yearDigits: 4 },
});

const IBAN_COUNTRY = { ...NOTHING, from: ['Zusatz'], part: 'iban_country' } as const;

function aProposal(of: Partial<Proposal> = {}): Proposal {
  return {
    ...{ form: 'csv', from: 'proposed', profile: PROFILE, headers: HEADERS, rowCount: 3, droppedColumns: [] },
    ...{ leftOut: { rows: [], count: 0 }, notes: [], choices: [], amountForms: [], dateForms: [], rows: [] },
    ...{ missingColumns: [], undecided: [] },
    columns: [
      {
        column: 'bank_country',
        candidates: [
          {
            source: { ...IBAN_COUNTRY, from: [...IBAN_COUNTRY.from], strip: [] },
            why: 'contents',
            isSure: false,
            reason: 'it is there',
          },
        ],
        isDecided: false,
      },
    ],
    ...of,
  };
}

/** What the server takes. */
const valid = (profile: Profile): Profile => {
  expect(profileSchema.parse(profile)).toEqual(profile);
  return profile;
};

describe('the source of a column', () => {
  test('takes headers from those that are not read, and leaves its former ones there', () => {
    const source = sourceFrom(aProposal(), PROFILE, 'row_ref', ['Lieferant', 'Zusatz']);
    const changed = valid(withSource(PROFILE, 'row_ref', source));
    expect(changed.ignored).toEqual(['Rechnung', 'Brutto']);
    expect(changed.columns.row_ref).toMatchObject({ from: ['Lieferant', 'Zusatz'], between: ' ' });
  });

  test('is what was proposed for its header, with the steps that its cells need', () => {
    expect(sourceFrom(aProposal(), PROFILE, 'bank_country', ['Zusatz'])).toEqual(IBAN_COUNTRY);
    expect(sourceFrom(aProposal(), PROFILE, 'bank_country', ['Lieferant'])).toMatchObject({ part: null });
  });

  test('of nothing leaves the column empty, so that the profile stays one that the server takes', () => {
    const changed = valid(withSource(PROFILE, 'row_ref', sourceFrom(aProposal(), PROFILE, 'row_ref', [])));
    expect(changed.columns.row_ref).toBeUndefined();
    expect(changed.ignored).toContain('Rechnung');
  });

  test('may be a text for every row, which stays for empty cells when a header is chosen', () => {
    const constant = withSource(PROFILE, 'buy_currency', sourceWithConstant(PROFILE, 'buy_currency', ' EUR '));
    expect(valid(constant).columns.buy_currency).toEqual({ ...NOTHING, constant: 'EUR' });
    const both = withSource(constant, 'buy_currency', sourceFrom(aProposal(), constant, 'buy_currency', ['Zusatz']));
    expect(valid(both).columns.buy_currency).toMatchObject({ from: ['Zusatz'], constant: 'EUR' });
    const neither = withSource(constant, 'buy_currency', sourceWithConstant(constant, 'buy_currency', ' '));
    expect(valid(neither).columns.buy_currency).toBeUndefined();
  });

  test('of other amounts has its form proposed again; of the same ones it is kept', () => {
    const other = withSource(PROFILE, 'amount', sourceFrom(aProposal(), PROFILE, 'amount', ['Brutto']));
    expect(valid(other)).toMatchObject({ amountForm: null, dateForm: PROFILE.dateForm });
    const from = PROFILE.columns.amount?.from ?? [];
    const same = withSource(PROFILE, 'amount', sourceFrom(aProposal(), PROFILE, 'amount', from));
    expect(valid(same).amountForm).toEqual(PROFILE.amountForm);
  });

  test('is the same whatever the order of its parts', () => {
    const { from, ...others } = { ...NOTHING, from: ['Zusatz'] };
    expect(isSameSource({ ...others, from }, { from, ...others })).toBe(true);
    expect(isSameSource({ ...others, from }, { ...others, from, constant: 'DE' })).toBe(false);
    expect(isSameSource(undefined, { from, ...others })).toBe(false);
  });
});

describe('what is left to decide', () => {
  test('is named: the encoding, columns, and forms', () => {
    const choice = { what: 'encoding', chosen: 'windows-1252', because: '', sample: [], others: [] } as const;
    const proposal = aProposal({
      choices: [{ ...choice, sample: [], others: [] }],
      missingColumns: ['sell_currency'],
      undecided: ['amount', 'pay_on'],
    });
    expect(leftToDecide(proposal)).toEqual([
      'the encoding of the file',
      'sell_currency',
      'how amounts are written',
      'how dates are written',
    ]);
    expect(opennessOf(proposal, PROFILE, 'sell_currency')).toBe('must');
    expect(opennessOf(proposal, PROFILE, 'bank_country')).toBe('may');
    expect(opennessOf(proposal, PROFILE, 'amount')).toBeNull();
  });

  test('is nothing of a file with our columns, unless one is missing', () => {
    expect(isPlainlyOurs(aProposal({ from: 'own_columns' }))).toBe(true);
    expect(isPlainlyOurs(aProposal({ from: 'own_columns', missingColumns: ['amount_side'] }))).toBe(false);
    expect(isPlainlyOurs(aProposal({ from: 'given' }))).toBe(false);
  });
});

test('columns are shown that are filled, needed, proposed or asked for: those that were missing stay first', () => {
  const shown = (profile: Profile) =>
    shownColumns({ proposal: aProposal(), profile }, [...CSV_COLUMNS], {
      added: ['echo'],
      first: ['sell_currency'],
    }).map(({ name }) => name);
  expect(shown(PROFILE).slice(0, 2)).toEqual(['sell_currency', 'row_ref']);
  expect(shown(PROFILE)).toEqual(expect.arrayContaining(['echo', 'bank_country', 'bank_name']));
  expect(shown(PROFILE)).not.toContain('bank_iban');
  const byId = withSource(PROFILE, 'beneficiary_id', sourceFrom(aProposal(), PROFILE, 'beneficiary_id', ['Zusatz']));
  expect(shown(byId)).not.toContain('bank_name');
});

describe('a profile', () => {
  test('is named after its file, with letters that a name may have', () => {
    expect(valid(namedAfter(PROFILE, 'Lieferanten März\u202e.2026.csv')).name).toBe('Lieferanten März .2026');
    expect(valid(namedAfter(PROFILE, `${'ä'.repeat(200)}.csv`)).name).toHaveLength(60);
    expect(namedAfter(PROFILE, '.csv').name).toBe('Suppliers');
  });

  test('is read from its file, and another file is told from it', () => {
    expect(readProfileFile(JSON.stringify(PROFILE))).toEqual(PROFILE);
    for (const text of ['', '[]', 'null', '{"headers":[]}', 'row_ref,amount']) {
      expect(() => readProfileFile(text)).toThrow('This is no profile');
    }
  });
});
