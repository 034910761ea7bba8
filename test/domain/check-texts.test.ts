import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cells } from '../../domain/payment-file/raw-row.ts';
import { aReference, aRow, check, type CheckedRows, found } from './payment-rows.ts';

const name = (text: string): Cells => ({ beneficiary_company_name: text, bank_account_holder_name: text });

function warnedOf({ warnings }: CheckedRows): string[] {
  return warnings.map(({ column, code }) => `${column ?? ''} ${code}`);
}

describe('what nobody sees is refused in every cell', () => {
  test.each([
    ['a soft hyphen', 'Nord\u00adlicht'],
    ['a space without width', 'Nord\u200blicht'],
    ['a joiner that joins nothing', 'Nord\u200dlicht'],
    ['a non-joiner in a Latin name', 'Nord\u200clicht'],
    ['a mark that turns the direction', 'Nord\u202elicht'],
    ['an isolate', 'Nord\u2066licht'],
    ['a combining grapheme joiner', 'Nord\u034flicht'],
    ['a variation selector', 'Nord\ufe0flicht'],
    ['a Hangul filler', 'Nord\u3164licht'],
    ['an empty Braille pattern', 'Nord\u2800licht'],
    ['a letter of private use', 'Nord\ue000licht'],
    ['a tag', 'Nord\u{e0041}licht'],
  ])('%s', (_name, text) => {
    const checked = check(aRow({ beneficiary_company_name: text }));
    expect(found(checked)).toEqual(['beneficiary_company_name control_character']);
    expect(checked.problems[0]?.value).toMatch(/\\u/);
  });

  test.each([
    ['a non-joiner in a Persian name', 'علی‌رضا'],
    ['a joiner in Devanagari', 'क्‍ष'],
    ['an ideograph with its variant', '田中\u{e0100}'],
  ])('but not %s, which is part of how it is written', (_name, text) => {
    expect(check(aRow(name(text))).problems).toEqual([]);
  });

  test('letters and their marks have one form, and blanks another width than the ordinary one have not', () => {
    const [instruction] = check(aRow(name('Mu\u0308ller\u00a0Bau'))).valid;
    const details = instruction?.beneficiary.kind === 'details' ? instruction.beneficiary.details : null;
    expect([details?.companyName, details?.bankAccount.bankAccountHolderName]).toEqual(['Müller Bau', 'Müller Bau']);
  });
});

describe('a word of two scripts', () => {
  test.each(['N\u043erdlicht', 'Αlpha Trade', 'Газпр\u006fм', 'PАYRUN'])('%s is refused', (text) => {
    expect(found(check(aRow({ beneficiary_company_name: text })))).toEqual(['beneficiary_company_name mixed_scripts']);
  });

  test.each(['ΔT Sensorik', 'Ромашка GmbH', 'Ελληνική Trading', 'Tokyo株式会社', 'µSystems', 'Ångström'])(
    '%s is none',
    (text) => {
      expect(check(aRow(name(text))).problems).toEqual([]);
    },
  );
});

describe('texts that were damaged or never filled in give a warning', () => {
  test.each([
    ['MÃ¼ller Bau', 'UTF-8 read as Windows-1252'],
    ['CafÃ© Zentral', 'the same in French'],
    ['MÅ‚yn', 'the same in Polish'],
    ['Oâ€™Neill', 'an apostrophe'],
    ['M√ºller Bau', 'UTF-8 read as Mac OS Roman'],
    ['M├╝ller Bau', 'UTF-8 read as code page 850'],
    ['M?ller Bau', 'a letter that the encoding did not have'],
    ['?zg?r Tekstil', 'at the beginning of a word'],
    ['M&uuml;ller Bau', 'a sign of a web page'],
  ])('%s: %s', (text) => {
    expect(warnedOf(check(aRow(name(text))))).toEqual([
      'beneficiary_company_name damaged_text',
      'bank_account_holder_name damaged_text',
    ]);
  });

  test.each([
    'Müller & Söhne',
    'Société Générale',
    'Ærøskøbing Byg',
    'Łódź Meble',
    'Àngels S.L.',
    'Why not? Ltd',
    'Ångström',
    'Ñandú',
    'Öz Çelik',
  ])('%s is as it should be', (text) => {
    expect(check(aRow(name(text))).warnings).toEqual([]);
  });

  test('every text that is read in a wrong encoding is found, if it has a letter with a mark that is common in Europe', () => {
    const marked = fc.constantFrom(...Array.from('äöüßéèêëçñáíóúàâîôåæøłśżźćčšžőűğışĂțșřěďťňůāēīū'));
    const letters = fc.string({ unit: fc.constantFrom(...Array.from('abcdefgh')), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(letters, marked, letters, (before, letter, after) => {
        const wrong = new TextDecoder('windows-1252').decode(new TextEncoder().encode(`${before}${letter}${after}`));
        const { problems, warnings } = check(aRow(name(wrong)));
        expect([...problems, ...warnings].map(({ code }) => code)).toContain(
          problems.length > 0 ? 'control_character' : 'damaged_text',
        );
      }),
    );
  });

  test.each([
    'unknown',
    'See vendor',
    'N/A',
    'TEST',
    'siehe Lieferant',
    'voir fournisseur',
    'ver proveedor',
    'vedi fornitore',
    'brak',
    '#REF!',
    '-',
  ])('%s stands for nothing', (text) => {
    expect(warnedOf(check(aRow({ payment_reference: text })))).toEqual(['payment_reference placeholder']);
  });

  test('a name that has such a word in it is a name', () => {
    expect(check(aRow(name('Test Supplier 4 Ltd'))).warnings).toEqual([]);
  });
});

describe('numbers that a spreadsheet changed', () => {
  const numbered = (bank_account_number: string, more: Cells = {}): Cells => ({
    bank_iban: undefined,
    bank_account_number,
    ...more,
  });
  const checkNumber = (cells: Cells): CheckedRows => {
    const anything = { entityType: 'company', fields: {}, bankAccount: {} };
    const requirements = new Map([[`EUR/${cells.bank_country ?? 'DE'}/DE`, [anything]]]);
    return check(aRow(cells), { reference: aReference({ requirements }) });
  };

  test('zeros from the 16th digit on give a warning', () => {
    expect(warnedOf(checkNumber(numbered('6222020200112230000')))).toEqual(['bank_account_number digits_cut']);
    expect(warnedOf(checkNumber(numbered('6222020200112233445')))).toEqual([]);
    expect(warnedOf(checkNumber(numbered('1203000012345670000', { bank_country: 'NZ' })))).toEqual([]);
    expect(warnedOf(check(aRow({ payment_reference: 'Invoice 12345678901234500' })))).toEqual([
      'payment_reference digits_cut',
    ]);
  });

  test('scientific notation is refused', () => {
    expect(found(checkNumber(numbered('6.22202E+18')))).toEqual(['bank_account_number scientific_notation']);
  });
});

describe('the holder of the account', () => {
  test('of another name than the beneficiary gives a warning', () => {
    expect(warnedOf(check(aRow({ bank_account_holder_name: 'Hans Meier' })))).toEqual([
      'bank_account_holder_name holder_differs',
    ]);
    expect(warnedOf(check(aRow({ bank_account_holder_name: 'NORDLICHT WERKZEUGE' })))).toEqual([]);
  });
});

describe('what the payee gets', () => {
  test('an address without a town gives a warning where banks refuse it', () => {
    expect(warnedOf(check(aRow({ beneficiary_address: 'Hafenstrasse 12, 20457 Hamburg' })))).toEqual([
      'beneficiary_city town_missing',
    ]);
    expect(warnedOf(check(aRow({ beneficiary_address: 'Hafenstrasse 12', beneficiary_city: 'Hamburg' })))).toEqual([]);
  });

  test('letters that are not carried, and a reference that is too long, give warnings', () => {
    expect(warnedOf(check(aRow({ payment_reference: 'Счёт 4711' })))).toEqual(['payment_reference letters_lost']);
    expect(warnedOf(check(aRow({ payment_reference: `Invoice ${'4711 '.repeat(30)}` })))).toEqual([
      'payment_reference text_cut',
    ]);
    expect(warnedOf(check(aRow({ payment_reference: 'Rechnung für Öl & Filter, Nr. 4711' })))).toEqual([]);
  });
});
