import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAbaValid, isClabeValid, isIbanValid } from '../../sandbox/corridors/check-digits.ts';
import { ibanPatterns } from '../../sandbox/corridors/iban-countries.ts';
import { sampleIbans } from './sample-accounts.ts';

test('the published example of every IBAN country has a valid length and valid check digits', () => {
  for (const iban of sampleIbans) {
    expect(new RegExp(ibanPatterns[iban.slice(0, 2)]!).test(iban), iban).toBe(true);
    expect(isIbanValid(iban), iban).toBe(true);
  }
  expect(sampleIbans.map((iban) => iban.slice(0, 2))).toEqual(Object.keys(ibanPatterns).sort());
});

test('one wrong digit anywhere in an IBAN is detected', () => {
  const digitPlaces = [...sampleIbans.entries()].flatMap(([which, iban]) =>
    Array.from(iban).flatMap((character, place) => (/\d/.test(character) ? [{ which, place }] : [])),
  );
  fc.assert(
    fc.property(fc.constantFrom(...digitPlaces), fc.integer({ min: 1, max: 9 }), ({ which, place }, by) => {
      const iban = sampleIbans[which]!;
      const digit = (Number(iban[place]) + by) % 10;
      return !isIbanValid(iban.slice(0, place) + String(digit) + iban.slice(place + 1));
    }),
    { seed: 1, numRuns: 300 },
  );
});

test.each(['021000021', '011000015', '026009593', '121000248', '322271627'])(
  'the routing number %s is accepted',
  (aba) => {
    expect(isAbaValid(aba)).toBe(true);
  },
);

test.each(['021000022', '123456789', '021000012'])('the routing number %s is refused', (aba) => {
  expect(isAbaValid(aba)).toBe(false);
});

test('a CLABE is accepted only with its own check digit', () => {
  const accepted = Array.from('0123456789').filter((digit) => isClabeValid(`03218000011835971${digit}`));
  expect(accepted).toEqual(['9']);
});
