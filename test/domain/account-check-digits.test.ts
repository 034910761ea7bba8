import { describe, expect, test } from 'vitest';
import { isAba, isClabe } from '../../domain/payment-file/account-check-digits.ts';
import { isBic, isIban } from '../../domain/payment-file/account-codes.ts';

/** Every text that differs from the given one in one digit. */
const withOneDigitChanged = (text: string): string[] =>
  Array.from(text).flatMap((character, index) =>
    /\d/.test(character)
      ? Array.from('0123456789')
          .filter((digit) => digit !== character)
          .map((digit) => text.slice(0, index) + digit + text.slice(index + 1))
      : [],
  );

describe('check digits', () => {
  test.each([
    ['an IBAN', isIban, ['DE89370400440532013000', 'GB82WEST12345698765432', 'NO9386011117947']],
    ['an ABA number', isAba, ['021000021', '011000015']],
    ['a CLABE', isClabe, ['032180000118359719', '002010077777777771']],
  ])('%s is valid, and any single wrong digit is detected', (_name, isValid, codes) => {
    for (const code of codes) {
      expect(isValid(code)).toBe(true);
      expect(withOneDigitChanged(code).filter(isValid)).toEqual([]);
    }
  });

  test('an IBAN never has the check digits 00, 01 or 99, which have the same remainder as others', () => {
    expect(isIban('DE97200505500098765432')).toBe(true);
    expect(isIban('DE00200505500098765432')).toBe(false);
  });

  test('an IBAN with blanks or lower-case letters is not valid', () => {
    expect(isIban('DE89 3704 0044 0532 0130 00')).toBe(false);
    expect(isIban('de89370400440532013000')).toBe(false);
  });

  test('a BIC has 8 or 11 characters', () => {
    expect(['COBADEFF', 'COBADEFFXXX'].every(isBic)).toBe(true);
    expect(['COBADEF', 'COBADEFFXX', 'cobadeff', 'COBA1EFF'].some(isBic)).toBe(false);
  });
});
