import { describe, expect, test } from 'vitest';
import { aReference, aRow, aRowToKnown, check, corridorsOf, found, germanCompany, requiring } from './payment-rows.ts';

describe("the provider's requirements", () => {
  test('a field with a pattern is required, unless the pattern accepts the empty text', () => {
    const fields = { ...germanCompany.fields, city: '^.{1,70}$', address: '^.{0,70}$' };
    expect(found(check(aRow(), { reference: requiring({ ...germanCompany, fields }) }))).toEqual([
      'beneficiary_city missing_value',
    ]);
  });

  test('a pattern applies to the whole value, anchored or not', () => {
    const bankAccount = { accountNumber: '[0-9]{4}|[0-9]{6}' };
    const reference = requiring({ ...germanCompany, bankAccount });
    const numbered = (bank_account_number: string) =>
      check(aRow({ bank_account_number, bank_iban: undefined }), { reference });
    expect(numbered('123456').problems).toEqual([]);
    expect(found(numbered('12345'))).toEqual(['bank_account_number requirement_not_met']);
  });

  test('the entity type is matched literally or as a pattern', () => {
    const either = { ...germanCompany, entityType: '^(company|individual)$' };
    expect(check(aRow(), { reference: requiring(either) }).problems).toEqual([]);
    const individual = { ...germanCompany, entityType: 'individual' };
    expect(found(check(aRow(), { reference: requiring(individual) }))).toEqual([
      'beneficiary_entity_type entity_type_unsupported',
    ]);
  });

  test('the requirements for the entity type of the row apply', () => {
    const individual = { ...germanCompany, entityType: 'individual', fields: { lastName: '.+' } };
    expect(check(aRow(), { reference: requiring(individual, germanCompany) }).problems).toEqual([]);
  });

  test('an unsupported corridor is an error', () => {
    expect(found(check(aRow({ bank_country: 'FR', bank_iban: undefined })))).toEqual([
      'bank_country corridor_unsupported',
    ]);
  });

  test('a corridor with unknown requirements is an error', () => {
    const reference = aReference({ requirements: new Map() });
    expect(found(check(aRow(), { reference }))).toEqual(['bank_country requirements_unknown']);
  });

  test('requirements are checked even if other details are missing', () => {
    expect(found(check(aRow({ bank_name: undefined, beneficiary_postcode: undefined })))).toEqual([
      'beneficiary_postcode missing_value',
      'bank_name missing_value',
    ]);
  });

  test('a pattern that does not compile gives one warning for all rows, and the field is still required', () => {
    const reference = requiring({ ...germanCompany, fields: { postcode: '([0-9' } });
    const checked = check([aRow({ row_ref: 'A' }, 2), aRow({ row_ref: 'B' }, 3)], { reference });
    expect(checked.valid).toHaveLength(2);
    expect(checked.warnings.map((warning) => warning.code)).toEqual(['pattern_unusable']);
    expect(found(check(aRow({ beneficiary_postcode: undefined }), { reference }))).toEqual([
      'beneficiary_postcode missing_value',
    ]);
  });

  test('a pattern that never finishes with backtracking is applied like any other', () => {
    const reference = requiring({ ...germanCompany, fields: { companyName: '^(a+)+$' } });
    expect(check(aRow({ beneficiary_company_name: 'a'.repeat(200) }), { reference }).problems).toEqual([]);
    expect(found(check(aRow({ beneficiary_company_name: `${'a'.repeat(200)}!` }), { reference }))).toEqual([
      'beneficiary_company_name requirement_not_met',
    ]);
  });

  test('a pattern that is too large to run gives a warning', () => {
    const reference = requiring({ ...germanCompany, fields: { companyName: '((a{1000}){1000}){1000}' } });
    const checked = check(aRow(), { reference });
    expect(checked.problems).toEqual([]);
    expect(checked.warnings.map((warning) => warning.code)).toEqual(['pattern_unusable']);
  });

  test('a required field without a column is an error', () => {
    const reference = requiring({ ...germanCompany, fields: { taxOffice: '.+' } });
    expect(found(check(aRow(), { reference }))).toEqual(['bank_country requirement_without_column']);
  });

  test.each([
    ['1067', 'leading zeros'],
    ['01 067', 'without blanks and dashes'],
    ['1.067E+3', 'scientific notation'],
    ['abc', 'compare it'],
  ])('the fix for postcode %s names the likely cause', (postcode, fix) => {
    expect(check(aRow({ beneficiary_postcode: postcode })).problems[0]?.fix).toContain(fix);
  });

  test("an IBAN from a country other than the bank's is refused, whatever the provider asks for", () => {
    const reference = requiring({ ...germanCompany, bankAccount: {} });
    const checked = check(aRow({ bank_iban: 'GB82WEST12345698765432' }), { reference });
    expect(found(checked)).toEqual(['bank_iban iban_country_differs']);
  });
});

describe('the corridors of a file', () => {
  test('are listed once each, without rows that have no details or invalid codes', () => {
    const rows = [
      aRow(),
      aRow({ row_ref: 'B' }),
      aRow({ bank_country: 'FR' }),
      aRow({ beneficiary_country: 'Germany' }),
      aRowToKnown({ bank_country: 'NL', beneficiary_country: 'NL' }),
    ];
    expect(corridorsOf(rows)).toEqual([
      { currency: 'EUR', bankAccountCountry: 'DE', beneficiaryCountry: 'DE' },
      { currency: 'EUR', bankAccountCountry: 'FR', beneficiaryCountry: 'DE' },
    ]);
  });
});
