import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONFUSABLES_VERSION } from '../../domain/beneficiaries/confusable-letters.ts';
import type { KnownBeneficiary } from '../../domain/beneficiaries/known-beneficiary.ts';
import { areLookAlikes, lookAlikeTexts } from '../../domain/beneficiaries/look-alike.ts';
import { nameKey, namesAgree } from '../../domain/beneficiaries/name-words.ts';

describe('one name', () => {
  test.each([
    ['Winkler GmbH', 'Winkler Gesellschaft mit beschränkter Haftung'],
    ['Winkler GmbH', 'WINKLER G.m.b.H.'],
    ['Winkler GmbH & Co. KG', 'Winkler'],
    ['Müller Bau GmbH', 'Mueller Bau GmbH'],
    ['Müller Bau GmbH', 'Muller Bau GmbH'],
    ['Weiß AG', 'Weiss Aktiengesellschaft'],
    ['Ærøskøbing Byg ApS', 'Aeroskoebing Byg Aps'],
    ['Ångström AB', 'Aangstroem Aktiebolag'],
    ['Thamesford Components Ltd', 'Thamesford Components Limited'],
    ['Lakeside Robotics Inc.', 'Lakeside Robotics, Incorporated'],
    ['Dupont S.A.R.L.', 'Dupont Société à responsabilité limitée'],
    ['Peña Hermanos S. L.', 'Pena Hermanos SL'],
    ['Kowalski Sp. z o.o.', 'Kowalski Spółka z ograniczoną odpowiedzialnością'],
    ['Novák s.r.o.', 'Novak s. r. o.'],
    ['Smith & Sons plc', 'Smith and Sons PLC'],
    ['ООО Ромашка', 'Ромашка'],
    ['Nord\u00adlicht Werkzeuge', 'Nordlicht\u00a0Werkzeuge'],
    ['O’Neill Ltd', "O'Neill Limited"],
    ['Łódź Meble', 'Lodz Meble'],
  ])('%s is also written %s', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });

  test.each([
    ['Supplier 12 GmbH', 'Supplier 13 GmbH'],
    ['Winkler GmbH', 'Winter GmbH'],
    ['AS Roma', 'Roma AB Svenska'],
    ['कमल', 'कमला'],
    ['GmbH', 'AG'],
  ])('%s is not %s', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other));
  });

  test('a name that is nothing but its legal form, or has no letters, has a key all the same', () => {
    expect([nameKey('Limited'), nameKey('***')]).toEqual(['limited', '***']);
  });
});

describe('the holder of an account', () => {
  test.each([
    ['Nordlicht Werkzeuge GmbH', 'NORDLICHT WERKZEUGE'],
    ['Nordlicht Werkzeuge GmbH', 'Nordlicht Werkzeuge Hamburg GmbH'],
    ['Anneke Vogt', 'Vogt, Anneke'],
    ['Anneke Vogt', 'A. Vogt'],
    ['Anneke Maria Vogt', 'Anneke Vogt'],
    ['Jörg Groß', 'Joerg Gross'],
    ['Man Power Ltd', 'Manpower Limited'],
  ])('%s may be %s', (one, other) => {
    expect([namesAgree(one, other), namesAgree(other, one)]).toEqual([true, true]);
  });

  test.each([
    ['Nordlicht Werkzeuge GmbH', 'Hans Meier'],
    ['Anneke Vogt', 'Birte Vogt'],
    ['ACME Ltd', 'Apex Ltd'],
  ])('%s is not %s', (one, other) => {
    expect([namesAgree(one, other), namesAgree(other, one)]).toEqual([false, false]);
  });
});

const company = (companyName: string): KnownBeneficiary => ({ companyName, bankAccount: {} });
const person = (firstName: string, lastName: string): KnownBeneficiary => ({ firstName, lastName, bankAccount: {} });

describe('look-alikes', () => {
  test.each([
    ['Nordlicht Logistik GmbH', 'N\u043erdlicht Logistik GmbH', 'a Cyrillic о'],
    ['СОСО Ltd', 'COCO Ltd', 'all letters Cyrillic'],
    ['Alphabet Ltd', 'Αlphabet Ltd', 'a Greek Α'],
    ['Amazon Ltd', 'Arnazon Ltd', 'rn for m'],
    ['Google Ltd', 'G0ogle Ltd', 'a zero'],
    ['Dell GmbH', 'DeII GmbH', 'capital I'],
    ['Allianz Versicherung AG', 'AIIianz Versicherung AG', 'capital I beside an i'],
    ['Alster Logistik KG', 'Alster Logistic KG', 'another letter'],
    ['Rheintal Präzision AG', 'Rheintal Präzison AG', 'a letter less'],
    ['Rheintal Präzision AG', 'Rhiental Präzision AG', 'two exchanged'],
  ])('%s and %s: %s', (one, other) => {
    expect(areLookAlikes(company(one), company(other))).toBe(true);
    expect(sharesText(company(one), company(other))).toBe(true);
  });

  test.each([
    ['Supplier 12 GmbH', 'Supplier 13 GmbH', 'numbers'],
    ['Harbour Fund II', 'Harbour Fund III', 'Roman numbers'],
    ['Assembly Plant A', 'Assembly Plant B', 'single letters'],
    ['Möller GmbH', 'Müller GmbH', 'short names'],
    ['Meier Elektrotechnik GmbH', 'Meyer Elektrotechnik GmbH', 'a short word'],
    ['Winkler Elektro GmbH', 'Winkler Elektronik GmbH', 'more than a letter'],
  ])('%s and %s are none: they differ in %s', (one, other) => {
    expect(areLookAlikes(company(one), company(other))).toBe(false);
  });

  test('names of people that differ in a letter are different people, and drawn alike they are look-alikes', () => {
    expect(areLookAlikes(person('Christian', 'Schneider'), person('Christina', 'Schneider'))).toBe(false);
    expect(areLookAlikes(person('Maria', 'Schneider'), person('Mari\u0430', 'Schneider'))).toBe(true);
  });

  test('whatever one letter is changed, added, left out or exchanged with its neighbour, the names have a text in common', () => {
    const letter = fc.constantFrom(...Array.from('abcdefghiklmnoprstuwz'));
    const name = fc.string({ unit: letter, minLength: 10, maxLength: 40 });
    fc.assert(
      fc.property(
        name,
        fc.nat(),
        letter,
        fc.constantFrom('change', 'add', 'leave out', 'exchange'),
        (text, at, other, kind) => {
          const place = at % (text.length - 1);
          const [before, after] = [text.slice(0, place), text.slice(place + 1)];
          const changed = {
            change: before + other + after,
            add: before + other + text.slice(place),
            'leave out': before + after,
            exchange: before + text.charAt(place + 1) + text.charAt(place) + text.slice(place + 2),
          }[kind];
          // Letters that are written in several ways make other lengths, as does "rn".
          fc.pre(![text, changed].some((one) => /[aou]e|aa|rn/.test(one) || lookAlikeTexts(company(one)).length < 2));
          expect(areLookAlikes(company(text), company(changed))).toBe(true);
          expect(sharesText(company(text), company(changed))).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('names of any letters are compared without an error, and a name is a look-alike of itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (name) => {
        expect(lookAlikeTexts(company(name)).length === 0 || areLookAlikes(company(name), company(name))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('the letters are those of a version of Unicode', () => {
    expect(CONFUSABLES_VERSION).toMatch(/^\d+\.0\.0$/);
  });
});

function sharesText(one: KnownBeneficiary, other: KnownBeneficiary): boolean {
  const texts = lookAlikeTexts(other);
  return lookAlikeTexts(one).some((text) => texts.includes(text));
}
