import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isIban } from '../../domain/payment-file/account-codes.ts';
import type { Cells } from '../../domain/payment-file/raw-row.ts';
import type { RequirementSet } from '../../domain/payment-file/reference-data.ts';
import { aReference, aRow, check, found } from './payment-rows.ts';

const ANYTHING: RequirementSet = { entityType: 'company', fields: {}, bankAccount: {} };

/** The problems of a row to a bank in a country, where the provider asks for no fields but those given. */
function problemsOf(country: string, cells: Cells, bankAccount: RequirementSet['bankAccount'] = {}): string[] {
  return found(checked(country, cells, bankAccount));
}

function checked(country: string, cells: Cells, bankAccount: RequirementSet['bankAccount'] = {}) {
  const requirements = new Map([[`EUR/${country}/DE`, [{ ...ANYTHING, bankAccount }]]]);
  return check(aRow({ bank_iban: undefined, bank_country: country, ...cells }), {
    reference: aReference({ requirements }),
  });
}

const GB_IBAN = 'GB29NWBK60161331926819';

describe('the form of an account', () => {
  // The examples of the registry of IBANs, as banks publish them.
  test.each([
    ['AE', 'AE070331234567890123456'],
    ['BE', 'BE68539007547034'],
    ['CH', 'CH9300762011623852957'],
    ['ES', 'ES9121000418450200051332'],
    ['FR', 'FR1420041010050500013M02606'],
    ['GB', GB_IBAN],
    ['IE', 'IE29AIBK93115212345678'],
    ['IT', 'IT60X0542811101000000123456'],
    ['MT', 'MT84MALT011000012345MTLCAST001S'],
    ['NL', 'NL91ABNA0417164300'],
    ['NO', 'NO9386011117947'],
    ['PL', 'PL61109010140000071219812874'],
  ])(
    'an IBAN of %s is valid, with blanks and in small letters too, and has one form in the instruction',
    (country, iban) => {
      const written = iban.replace(/(.{4})/g, '$1 ').toLowerCase();
      const { valid, problems } = checked(country, { bank_iban: written });
      expect(problems).toEqual([]);
      const [instruction] = valid;
      expect(instruction?.beneficiary.kind === 'details' && instruction.beneficiary.details.bankAccount.iban).toBe(
        iban,
      );
    },
  );

  test.each([
    ['a country without IBANs', 'US64SVBKUS6S3300958879', 'does not begin with a country that has IBANs'],
    ['a length of another country', 'DE8937040044053201300', 'has 21 characters, and an IBAN of its country has 22'],
    ['a letter where its country has digits', 'DE8937040044053201300A', 'in the wrong places for its country'],
    ['wrong check digits', 'DE89370400440532013001', 'is not an IBAN with valid check digits'],
    // Its own check digits are right: those of the Spanish account within it are wrong.
    ['wrong check digits of the account within it', 'ES8350210036679521296135', 'whose own check digits are wrong'],
  ])('%s is refused by its name', (_case, iban, problem) => {
    const [first] = checked(iban.slice(0, 2), { bank_iban: iban }).problems;
    expect(first).toMatchObject({ column: 'bank_iban', code: 'account_code' });
    expect(first?.problem).toContain(problem);
  });

  test.each<[string, string, Cells]>([
    ['a sort code has 6 digits', 'GB', { bank_sort_code: '20000', bank_account_number: '12345678' }],
    ['a BSB has 6 digits', 'AU', { bank_bsb_code: '06200' }],
    ['an IFSC has a zero at its fifth place', 'IN', { bank_ifsc_code: 'HDFC1000123' }],
    ['a CNAPS code has 12 digits', 'CN', { bank_cnaps: '10210009999' }],
    ['a routing number has a check digit', 'US', { bank_aba: '021000022' }],
    ['a CLABE has a check digit', 'MX', { bank_clabe: '032180000118359718' }],
    ['a BIC is of a country that exists', 'DE', { bank_bic_swift: 'COBAQQFF' }],
    ['an account with a sort code has 8 digits', 'GB', { bank_sort_code: '200000', bank_account_number: '1234567' }],
  ])('%s', (_rule, country, cells) => {
    expect(problemsOf(country, cells).map((problem) => problem.split(' ')[1])).toEqual(['account_code']);
  });

  test('codes are accepted as people write them, in groups', () => {
    expect(problemsOf('GB', { bank_sort_code: '20-00-00', bank_account_number: '12345678' })).toEqual([]);
    expect(problemsOf('AU', { bank_bsb_code: '062-000', bank_account_number: '12345678' })).toEqual([]);
    expect(problemsOf('IN', { bank_ifsc_code: 'hdfc0000123', bank_account_number: '123456789' })).toEqual([]);
  });

  test('lost leading zeros are named', () => {
    const [first] = checked('GB', { bank_sort_code: '200000', bank_account_number: '1234567' }).problems;
    expect(first?.fix).toContain('leading zeros');
  });
});

describe('fields of one account that contradict each other are refused', () => {
  test.each<[string, string, Cells, string]>([
    ['an IBAN of another country', 'FR', { bank_iban: GB_IBAN }, 'bank_iban iban_country_differs'],
    ['a BIC of another country', 'FR', { bank_bic_swift: 'COBADEFF' }, 'bank_bic_swift bic_country_differs'],
    [
      'a sort code for an account in Germany',
      'DE',
      { bank_sort_code: '200000' },
      'bank_sort_code account_code_of_other_country',
    ],
    ['a routing number for one in France', 'FR', { bank_aba: '021000021' }, 'bank_aba account_code_of_other_country'],
    [
      'a sort code beside an IBAN with another one',
      'GB',
      { bank_iban: GB_IBAN, bank_sort_code: '200000' },
      'bank_sort_code account_fields_contradict',
    ],
    [
      'an account number beside an IBAN with another one',
      'GB',
      { bank_iban: GB_IBAN, bank_account_number: '31926818' },
      'bank_account_number account_fields_contradict',
    ],
    [
      'the same in Ireland',
      'IE',
      { bank_iban: 'IE29AIBK93115212345678', bank_account_number: '12345679' },
      'bank_account_number account_fields_contradict',
    ],
    [
      'an account number that a German IBAN does not contain',
      'DE',
      { bank_iban: 'DE89370400440532013000', bank_account_number: '987654321' },
      'bank_account_number account_fields_contradict',
    ],
    [
      'a bank code that it does not contain',
      'DE',
      { bank_iban: 'DE89370400440532013000', bank_code: '20050550' },
      'bank_code account_fields_contradict',
    ],
    [
      'an account number that a CLABE does not contain',
      'MX',
      { bank_clabe: '032180000118359719', bank_account_number: '00099999999' },
      'bank_account_number account_fields_contradict',
    ],
    [
      'a BIC of another bank than a British IBAN names',
      'GB',
      { bank_iban: GB_IBAN, bank_bic_swift: 'BARCGB22' },
      'bank_bic_swift account_fields_contradict',
    ],
  ])('%s', (_case, country, cells, problem) => {
    expect(problemsOf(country, cells)).toEqual([problem]);
  });

  test.each<[string, string, Cells]>([
    [
      'the numbers that a British IBAN contains',
      'GB',
      { bank_iban: GB_IBAN, bank_sort_code: '60-16-13', bank_account_number: '31926819', bank_bic_swift: 'NWBKGB2L' },
    ],
    ['the IBAN once more as the account number', 'GB', { bank_iban: GB_IBAN, bank_account_number: GB_IBAN }],
    [
      'the numbers that a German IBAN contains',
      'DE',
      { bank_iban: 'DE89370400440532013000', bank_code: '370 400 44', bank_account_number: '532013000' },
    ],
    [
      'a Czech account as it is written there',
      'CZ',
      { bank_iban: 'CZ6508000000192000145399', bank_account_number: '19-2000145399/0800' },
    ],
    ['a British IBAN for a bank in Jersey', 'JE', { bank_iban: GB_IBAN, bank_bic_swift: 'NWBKJESH' }],
    [
      'a clearing number in Sweden, which IBANs need not contain',
      'SE',
      { bank_iban: 'SE4550000000058398257466', bank_branch_code: '6112' },
    ],
  ])('%s does not contradict', (_case, country, cells) => {
    expect(problemsOf(country, cells)).toEqual([]);
  });

  test('a code of another country is no contradiction where the provider asks for it', () => {
    expect(problemsOf('NG', { bank_sort_code: '200000' }, { sortCode: '^[0-9]{6}$' })).toEqual([]);
  });

  test('a BIC of another bank gives a warning where banks that merged keep the codes of both', () => {
    const { problems, warnings } = checked('NL', { bank_iban: 'NL91ABNA0417164300', bank_bic_swift: 'INGBNL2A' });
    expect([problems, warnings.map(({ code }) => code)]).toEqual([[], ['bic_bank_differs']]);
  });
});

test('whatever is written into the fields of an account, a row that is accepted names one account', () => {
  const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
  fc.assert(
    fc.property(digits(6), digits(8), fc.boolean(), (sortCode, number, isSame) => {
      const iban = britishIban(sortCode, number);
      const given = isSame ? number : String((Number(number) + 1) % 100_000_000).padStart(8, '0');
      const problems = problemsOf('GB', { bank_iban: iban, bank_sort_code: sortCode, bank_account_number: given });
      expect(problems).toEqual(isSame ? [] : ['bank_account_number account_fields_contradict']);
    }),
    { numRuns: 200 },
  );
});

/** With the check digits that make it valid, found by trying. */
function britishIban(sortCode: string, number: string): string {
  const found = Array.from(
    { length: 97 },
    (_, index) => `GB${String(index + 2).padStart(2, '0')}NWBK${sortCode}${number}`,
  ).find(isIban);
  if (found === undefined) throw new Error('no check digits are right');
  return found;
}
