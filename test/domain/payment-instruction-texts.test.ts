import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beneficiaryFingerprintText } from '../../domain/beneficiaries/beneficiary-identity.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { closestName } from '../../domain/closest-name.ts';
import { REQUIRED_COLUMNS, CSV_COLUMNS } from '../../domain/payment-file/csv-columns.ts';
import { type BeneficiaryDetails, beneficiaryDetailsSchema } from '../../domain/payments/payment-instruction.ts';
import { check, aRow } from './payment-rows.ts';

describe('canonical JSON', () => {
  test('is JSON of the same value, whatever the order of keys', () => {
    const content = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.maxSafeInteger(), fc.constant(null)));
    fc.assert(
      fc.property(content, (value) => {
        const text = canonicalJson(value);
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(JSON.parse(text)).toEqual(value);
        expect(canonicalJson(reversed)).toBe(text);
      }),
      { seed: 21 },
    );
  });

  test('changes with any change of an instruction', () => {
    const [instruction] = check(aRow()).valid;
    const [changed] = check(aRow({ bank_iban: 'DE16370501980004711223' })).valid;
    expect(canonicalJson(instruction)).not.toBe(canonicalJson(changed));
  });

  test('leaves out undefined properties and refuses fractions', () => {
    expect(canonicalJson({ b: undefined, a: ['x', null, 1] })).toBe('{"a":["x",null,1]}');
    expect(() => canonicalJson({ a: 0.1 })).toThrow(TypeError);
  });
});

describe('the fingerprint of a beneficiary', () => {
  const details = (bankAccount: Partial<BeneficiaryDetails['bankAccount']>, city = 'Reading'): BeneficiaryDetails => ({
    entityType: 'company',
    country: 'GB',
    city,
    bankAccount: {
      country: 'GB',
      currency: 'GBP',
      bankName: 'Albion',
      bankAccountHolderName: 'Thamesford Ltd',
      ...bankAccount,
    },
  });
  const account = { sortCode: '200353', accountNumber: '01234567' };

  test('does not depend on how the same account was typed', () => {
    const typed = { sortCode: '20-03-53', accountNumber: '0123 4567', bankAccountHolderName: ' THAMESFORD  LTD.' };
    expect(beneficiaryFingerprintText(details({ ...typed, bankName: 'Albion plc' }, 'London'))).toBe(
      beneficiaryFingerprintText(details(account)),
    );
  });

  test('differs by account, holder, bank country and currency', () => {
    const others: Partial<BeneficiaryDetails['bankAccount']>[] = [
      { accountNumber: '1234567' },
      { sortCode: '200354' },
      { bankAccountHolderName: 'Pennine Ltd' },
      { country: 'IE' },
      { currency: 'EUR' },
    ];
    const texts = [{}, ...others].map((other) => beneficiaryFingerprintText(details({ ...account, ...other })));
    expect(new Set(texts).size).toBe(texts.length);
  });

  test('an IBAN identifies the account, with or without a BIC', () => {
    const iban = 'GB82WEST12345698765432';
    expect(beneficiaryFingerprintText(details({ iban, bicSwift: 'WESTGB2L' }))).toBe(
      beneficiaryFingerprintText(details({ iban: 'gb82 west 1234 5698 7654 32' })),
    );
  });

  test('a BIC of the head office is the same with and without XXX', () => {
    const bic = (bicSwift: string) => beneficiaryFingerprintText(details({ ...account, bicSwift }));
    expect(bic('WESTGB2LXXX')).toBe(bic('WESTGB2L'));
    expect(bic('WESTGB2L123')).not.toBe(bic('WESTGB2L'));
  });
});

describe('the table of columns', () => {
  test('names each column and each field once', () => {
    expect(new Set(CSV_COLUMNS.map((column) => column.name)).size).toBe(CSV_COLUMNS.length);
    expect(new Set(CSV_COLUMNS.map((column) => `${column.part}.${column.field}`)).size).toBe(CSV_COLUMNS.length);
  });

  test('has a column for every field of a beneficiary, and no others', () => {
    const fieldsOf = (part: string) => CSV_COLUMNS.filter((column) => column.part === part).map(({ field }) => field);
    const shape = beneficiaryDetailsSchema.shape;
    const roots = Object.keys(shape).filter((field) => field !== 'bankAccount' && field !== 'intermediaryBank');
    expect(fieldsOf('beneficiary').sort()).toEqual([...roots, 'beneficiaryId', 'beneficiaryKey'].sort());
    expect(fieldsOf('bankAccount').sort()).toEqual(Object.keys(shape.bankAccount.shape).sort());
    expect(fieldsOf('intermediaryBank').sort()).toEqual(Object.keys(shape.intermediaryBank.unwrap().shape).sort());
  });

  test('knows which columns every row must fill', () => {
    expect(REQUIRED_COLUMNS).toContain('amount_side');
    expect(REQUIRED_COLUMNS).not.toContain('pay_on');
  });
});

test('a name is suggested for a typing mistake and for nothing further away', () => {
  expect(closestName('ammount', ['amount', 'amount_side'])).toBe('amount');
  expect(closestName('Row Ref', ['row_ref', 'amount'])).toBe('row_ref');
  expect(closestName('colour', ['amount', 'row_ref'])).toBeNull();
});
