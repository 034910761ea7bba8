import { describe, expect, test } from 'vitest';
import {
  APPLICANT_FIELDS,
  type ApplicantKey,
  applicantValues,
  REQUIRED_DETAILS,
  REQUIRED_KEYS,
} from '../../domain/onboarding/applicant-fields.ts';
import {
  BUSINESS_TYPES,
  DOCUMENT_TYPES,
  EMPLOYMENT_INDUSTRIES,
  EMPLOYMENT_POSITIONS,
  EMPLOYMENT_STATUSES,
} from '../../domain/onboarding/choices.ts';
import { aCompany, anIndividual, found, check, validOf } from './onboarding-applicants.ts';

/** Marked KYC in the contract's table of user details. Contract: account 2.4. */
const KYC_DETAILS =
  'first_name last_name mobile_country_code mobile_number gender country_of_birth nationality country_of_residence ' +
  'residential_address country_code postal_code date_of_birth identification_type identification_number issue_date ' +
  'employment_industry employment_status employment_position';

/** All of 2.5 are required in every update, and KYC. */
const COMPANY =
  'country_of_incorporation country_of_operations business_type postal_code state city registration_number incorporation_date';

const fieldOf = (key: string) => APPLICANT_FIELDS.find((field) => field.key === key);

describe('the fields of an applicant', () => {
  test('are those of the contract in snake case, with our own and those of the sign-up before them', () => {
    expect(APPLICANT_FIELDS.map(({ key }) => key).join(' ')).toBe(
      'applicant_ref account_type provider_user_id email language sign_up_country ' +
        'title first_name last_name mobile_country_code mobile_number former_name alias_name gender country_of_birth ' +
        'nationality country_of_residence residential_address country_code state city postal_code date_of_birth ' +
        'identification_type identification_number issue_date expiry_date employment_industry employment_status ' +
        'employment_position occupation name_in_chinese_characters ' +
        'company_name company_country_of_incorporation company_country_of_operations company_business_type company_address ' +
        'company_postal_code company_state company_city company_registration_number company_incorporation_date',
    );
  });

  test('required of everybody are those of the sign-up, and the details that are KYC in the contract', () => {
    expect(REQUIRED_KEYS.join(' ')).toBe(`applicant_ref account_type email ${KYC_DETAILS}`);
    expect(REQUIRED_DETAILS).toHaveLength(KYC_DETAILS.split(' ').length);
    expect(fieldOf('expiry_date')?.need).toBe('passport');
  });

  test.each([
    ['first_name', 64],
    ['last_name', 64],
    ['email', 128],
    ['applicant_ref', 64],
  ])('%s has at most %i characters', (key, maxLength) => {
    expect(fieldOf(key)?.maxLength).toBe(maxLength);
  });

  test('the lists have as many values as those of the contract', () => {
    const lists = [EMPLOYMENT_STATUSES, EMPLOYMENT_POSITIONS, EMPLOYMENT_INDUSTRIES, BUSINESS_TYPES, DOCUMENT_TYPES];
    expect(lists.map((list) => new Set<string>(list).size)).toEqual([4, 4, 22, 31, 17]);
  });

  test('trap 34: banks are Banking/Finance/Insurance as an industry and Banking/Financial/Insurance as a business', () => {
    const bank = (industry: string, business: string) =>
      found(check(aCompany({ employment_industry: industry, company_business_type: business })));
    expect(bank('Banking/Finance/Insurance', 'Banking/Financial/Insurance')).toEqual([]);
    expect(bank('Banking/Financial/Insurance', 'Banking/Finance/Insurance')).toEqual([
      'employment_industry unknown_choice',
      'company_business_type unknown_choice',
    ]);
  });
});

describe('each field that is required', () => {
  test.each(REQUIRED_KEYS)('%s must be given, and blanks are no value', (key) => {
    expect(found(check(anIndividual({ [key]: undefined })))).toContain(`${key} missing_value`);
    expect(found(check(anIndividual({ [key]: ' ' })))).toContain(`${key} missing_value`);
    expect(found(check(anIndividual({ [key]: null })))).toContain(`${key} missing_value`);
  });

  test.each([...COMPANY.split(' ').map((name) => `company_${name}`), 'company_name', 'company_address'])(
    'of a company: %s',
    (key) => {
      expect(found(check(aCompany({ [key]: undefined })))).toContain(`${key} missing_value`);
      expect(found(check(anIndividual()))).toEqual([]);
    },
  );

  test('a passport needs an expiry date, an nric does not (trap 15)', () => {
    expect(found(check(anIndividual({ expiry_date: undefined })))).toEqual(['expiry_date missing_value']);
    const nric = { identification_type: 'nric', expiry_date: undefined };
    expect(validOf(anIndividual(nric)).details.expiryDate).toBeUndefined();
  });

  test('what is missing is said of every field at once', () => {
    const nothing = { ...anIndividual(), values: new Map(), documents: new Map() };
    const missing = found(check(nothing)).filter((problem) => problem.endsWith('missing_value'));
    expect(missing).toEqual(REQUIRED_KEYS.map((key) => `${key} missing_value`));
  });
});

describe('the values of a valid applicant', () => {
  test.each([
    ['an individual', anIndividual({ title: 'Dr', language: 'id', provider_user_id: 'u-1', sign_up_country: 'GB' })],
    ['a company', aCompany({ state: 'Example', occupation: 'Trader', name_in_chinese_characters: '陈' })],
  ])('of %s come back by the same keys', (_who, raw) => {
    const given = Object.fromEntries([...raw.values].map(([key, { text }]) => [key, text])) as Record<
      ApplicantKey,
      string
    >;
    const applicant = validOf(raw);
    expect(applicantValues(applicant)).toEqual({ ...given, sign_up_country: applicant.signUpCountry });
  });
});
