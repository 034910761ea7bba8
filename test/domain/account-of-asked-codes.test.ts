import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountText } from '../../domain/beneficiaries/beneficiary-identity.ts';
import type { Cells } from '../../domain/payment-file/raw-row.ts';
import type { RequirementSet } from '../../domain/payment-file/reference-data.ts';
import { aReference, aRow, check, type CheckedRows } from './payment-rows.ts';

/** A row to a bank in a country, where the provider asks for these fields of the account. */
function checked(country: string, cells: Cells, bankAccount: RequirementSet['bankAccount']): CheckedRows {
  const requirements = new Map([[`EUR/${country}/DE`, [{ entityType: 'company', fields: {}, bankAccount }]]]);
  return check(aRow({ bank_iban: undefined, bank_country: country, ...cells }), {
    reference: aReference({ requirements }),
  });
}

const GB_IBAN = 'GB29NWBK60161331926819';

describe('a code that the provider does not ask for', () => {
  const BIC_AND_NUMBER = { bicSwift: '^[A-Z0-9]{8,11}$', accountNumber: '^[A-Z0-9]{4,34}$' };
  const MALAYSIAN = { bank_bic_swift: 'MBBEMYKL', bank_account_number: '5140123456' };

  test.each<[string, string, Cells, RequirementSet['bankAccount'], string[]]>([
    ['a bank code', 'MY', { ...MALAYSIAN, bank_code: '27' }, BIC_AND_NUMBER, ['bank_code']],
    [
      'a bank code and a branch code',
      'MY',
      { ...MALAYSIAN, bank_code: '27', bank_branch_code: '1' },
      BIC_AND_NUMBER,
      ['bank_code', 'bank_branch_code'],
    ],
    [
      'an IBAN that contains the number',
      'IL',
      { bank_bic_swift: 'LUMIILIT', bank_account_number: '99999999', bank_iban: 'IL620108000000099999999' },
      BIC_AND_NUMBER,
      ['bank_iban'],
    ],
    [
      'an IBAN and a sort code that say the same',
      'GB',
      { bank_bic_swift: 'NWBKGB2L', bank_account_number: '31926819', bank_iban: GB_IBAN, bank_sort_code: '601613' },
      BIC_AND_NUMBER,
      ['bank_iban', 'bank_sort_code'],
    ],
    [
      'a routing number where accounts are paid by BIC',
      'US',
      { bank_bic_swift: 'CHASUS33', bank_account_number: '123456789', bank_aba: '021000021' },
      BIC_AND_NUMBER,
      ['bank_aba'],
    ],
  ])('and that makes another account of it is refused: %s', (_case, country, cells, asked, columns) => {
    const { problems } = checked(country, cells, asked);
    expect(problems.map(({ column, code, fix }) => ({ column, code, fix }))).toEqual(
      columns.map((column) => ({ column, code: 'account_code_not_asked_for', fix: `leave ${column} empty` })),
    );
  });

  test.each<[string, string, Cells, RequirementSet['bankAccount']]>([
    [
      'a BIC beside an IBAN',
      'DE',
      { bank_iban: 'DE89370400440532013000', bank_bic_swift: 'COBADEFF' },
      { iban: '^DE[0-9]{20}$' },
    ],
    [
      'numbers that an IBAN contains',
      'DE',
      { bank_iban: 'DE89370400440532013000', bank_code: '37040044', bank_account_number: '532013000' },
      { iban: '^DE[0-9]{20}$' },
    ],
    [
      'an IBAN that is its sort code and number',
      'GB',
      { bank_iban: GB_IBAN, bank_sort_code: '601613', bank_account_number: '31926819', bank_bic_swift: 'NWBKGB2L' },
      { sortCode: '^[0-9]{6}$', accountNumber: '^[0-9]{8}$' },
    ],
    [
      'a BIC and a bank code beside a routing number',
      'US',
      { bank_aba: '021000021', bank_account_number: '123456789', bank_bic_swift: 'CHASUS33', bank_code: '1' },
      { aba: '^[0-9]{9}$', accountNumber: '^[0-9]{4,17}$' },
    ],
    [
      'a bank code where a BIC names the bank',
      'SG',
      { bank_bic_swift: 'DBSSSGSG', bank_account_number: '0123456789', bank_code: '7171' },
      BIC_AND_NUMBER,
    ],
    [
      'a BIC where the number names the bank',
      'NZ',
      { bank_account_number: '0100860000001000', bank_bic_swift: 'ANZBNZ22' },
      { accountNumber: '^[0-9]{15,16}$' },
    ],
  ])('and that changes nothing may stay: %s', (_case, country, cells, asked) => {
    expect(checked(country, cells, asked).problems).toEqual([]);
  });

  test('makes no second account of one, whatever it is', () => {
    const code = fc.constantFrom('27', '7171', '001', '1');
    const codes = fc.record(
      { bank_code: code, bank_branch_code: code, bank_institution_no: code },
      { requiredKeys: [] },
    );
    const corridors = {
      MY: { cells: MALAYSIAN, asked: BIC_AND_NUMBER },
      SG: { cells: { bank_bic_swift: 'DBSSSGSG', bank_account_number: '5140123456' }, asked: BIC_AND_NUMBER },
      US: {
        cells: { bank_aba: '021000021', bank_account_number: '5140123456' },
        asked: { aba: '^[0-9]{9}$', accountNumber: '^[0-9]{4,17}$' },
      },
    };
    fc.assert(
      fc.property(fc.constantFrom(...(['MY', 'SG', 'US'] as const)), codes, (country, more) => {
        const { cells, asked } = corridors[country];
        const accounts = [cells, { ...cells, ...more }].flatMap((each) => accountsOf(checked(country, each, asked)));
        expect(new Set(accounts).size).toBe(1);
      }),
      { numRuns: 100 },
    );
  });
});

function accountsOf({ valid }: CheckedRows): string[] {
  return valid.flatMap(({ beneficiary }) => (beneficiary.kind === 'details' ? [accountText(beneficiary.details)] : []));
}
