import { describe, expect, it } from 'vitest';
import { accountText, nameText } from '../../domain/beneficiaries/beneficiary-identity.ts';
import { beneficiaryName } from '../../domain/beneficiaries/beneficiary-name.ts';
import { knownBeneficiaryOf, shownAccountOf } from '../../domain/beneficiaries/known-beneficiary.ts';

/** As the provider answers: every field, null where it is not used. Contract: payments 2.1. */
const ANSWER = {
  beneficiaryId: 'an-id',
  nickname: 'Beneficiary an-id',
  companyName: 'Winkler AG',
  firstName: null,
  lastName: '',
  email: 'someone@winkler.example',
  bankAccount: {
    country: 'DE',
    currency: 'EUR',
    bankName: 'Hansebank',
    bankAccountHolderName: 'Winkler Aktiengesellschaft',
    iban: 'DE89 3704 0044 0532 0130 00',
    bicSwift: 'COBADEFFXXX',
    sortCode: null,
    accountNumber: null,
  },
  intermediaryBank: null,
};

describe('a beneficiary shown by the provider', () => {
  it('has only the fields of its name and account that are neither null nor empty', () => {
    expect(knownBeneficiaryOf(ANSWER)).toEqual({
      companyName: 'Winkler AG',
      bankAccount: {
        country: 'DE',
        currency: 'EUR',
        bankName: 'Hansebank',
        bankAccountHolderName: 'Winkler Aktiengesellschaft',
        iban: 'DE89 3704 0044 0532 0130 00',
        bicSwift: 'COBADEFFXXX',
      },
    });
  });

  it('has the same account and name as a row that describes it, however the row is written', () => {
    const described = {
      companyName: 'WINKLER  Ag',
      bankAccount: { country: 'DE', iban: 'de89370400440532013000', bicSwift: 'COBADEFF' },
    };
    expect(accountText(knownBeneficiaryOf(ANSWER))).toBe(accountText(described));
    expect(nameText(knownBeneficiaryOf(ANSWER))).toBe(nameText(described));
  });

  it.each([
    ['GB', 'GB82WEST12345698765432', '12-34-56', '98765432'],
    ['GB', 'gb33 bukb 2020 1500 5555 55', '202015', '555555'],
    ['IE', 'IE29AIBK93115212345678', '931152', '12345678'],
    ['JE', 'GB82WEST12345698765432', '123456', '98765432'],
  ])(
    'has one account in %s, by its IBAN and by sort code with account number',
    (country, iban, sortCode, accountNumber) => {
      const byNumber = { country, sortCode, accountNumber };
      expect(accountText({ bankAccount: { country, iban } })).toBe(accountText({ bankAccount: byNumber }));
      expect(accountText({ bankAccount: { ...byNumber, bicSwift: 'WESTGB2L' } })).toBe(
        accountText({ bankAccount: { country, iban, accountNumber, sortCode } }),
      );
      expect(accountText({ bankAccount: { ...byNumber, sortCode: '111111' } })).not.toBe(
        accountText({ bankAccount: { country, iban } }),
      );
    },
  );

  it.each([
    [
      'a number without its leading zeros',
      { country: 'US', aba: '021000021', accountNumber: '0123456789' },
      { accountNumber: '123456789' },
    ],
    [
      'a territory whose banks have the codes of the country',
      { country: 'AU', bsbCode: '062000', accountNumber: '12345678' },
      { country: 'CX' },
    ],
    [
      'a code that decides nothing',
      { country: 'SG', bicSwift: 'DBSSSGSG', accountNumber: '123456' },
      { bankCode: '7171', branchCode: '1' },
    ],
    [
      'the BIC of a branch',
      { country: 'SG', bicSwift: 'DBSSSGSG', accountNumber: '123456' },
      { bicSwift: 'DBSSSGSG001' },
    ],
    [
      'the code of another branch of the bank',
      { country: 'IN', ifscCode: 'HDFC0000123', accountNumber: '50100012345678' },
      { ifscCode: 'HDFC0000999' },
    ],
    [
      'a stroke in the number',
      { country: 'SG', bicSwift: 'DBSSSGSG', accountNumber: '123456' },
      { accountNumber: '123/456' },
    ],
  ])('has one account with %s', (_case, bankAccount, changes) => {
    expect(accountText({ bankAccount: { ...bankAccount, ...changes } })).toBe(accountText({ bankAccount }));
  });

  it.each([
    ['routing number', { country: 'US', aba: '021000021', accountNumber: '123456789' }, { aba: '011000015' }],
    [
      'branch code',
      { country: 'JP', bankCode: '0001', branchCode: '001', accountNumber: '1234567' },
      { branchCode: '002' },
    ],
    ['BIC', { country: 'SG', bicSwift: 'DBSSSGSG', accountNumber: '123456' }, { bicSwift: 'OCBCSGSG' }],
    ['bank code', { country: 'NG', bankCode: '058', accountNumber: '0123456789' }, { bankCode: '057' }],
  ])('has another account with another %s', (_code, bankAccount, changes) => {
    expect(accountText({ bankAccount: { ...bankAccount, ...changes } })).not.toBe(accountText({ bankAccount }));
  });

  it.each([{}, { bankAccount: null }, { bankAccount: 'none' }, { bankAccount: { country: 'DE', iban: 7 } }])(
    '%j has neither an account to show nor a name',
    (answer) => {
      const known = knownBeneficiaryOf(answer);
      expect(shownAccountOf(known)).toBeNull();
      expect(beneficiaryName(known)).toBe('');
    },
  );
});

describe('a bank account shown to approvers', () => {
  it('has its full number, and the codes of the bank with their names', () => {
    const account = { country: 'GB', bankName: 'Test Bank', bankAccountHolderName: 'A Ltd', accountNumber: '12345678' };
    expect(shownAccountOf({ bankAccount: { ...account, sortCode: '200000', bicSwift: 'TESTGB22' } })).toEqual({
      iban: null,
      accountNumber: '12345678',
      bankCode: 'BIC TESTGB22, sort code 200000',
      bankName: 'Test Bank',
      holder: 'A Ltd',
      country: 'GB',
      intermediaryBank: null,
    });
  });

  it('has every code that decides where the money goes', () => {
    const bankAccount = { iban: 'DE89370400440532013000', accountNumber: '0532013000', clabe: '032180000118359719' };
    const intermediaryBank = { bankName: 'Between', bicSwift: 'BETWUS33', accountNumber: '77', address: 'New York' };
    const shown = JSON.stringify(shownAccountOf({ bankAccount, intermediaryBank }));
    for (const text of [...Object.values(bankAccount), ...Object.values(intermediaryBank)])
      expect(shown).toContain(text);
    expect(shownAccountOf({ bankAccount: { clabe: '032180000118359719' } })).toMatchObject({
      accountNumber: '032180000118359719',
    });
  });
});
