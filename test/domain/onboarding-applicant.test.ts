import { describe, expect, test } from 'vitest';
import { readDay } from '../../domain/onboarding/check-day.ts';
import {
  aCompany,
  anIndividual,
  check,
  found,
  TODAY,
  termsWith,
  type Values,
  validOf,
} from './onboarding-applicants.ts';

describe('an applicant without mistakes', () => {
  test('is stored as given, with days as YYYY-MM-DD and the phone number as digits', () => {
    const raw = anIndividual({ date_of_birth: '31-12-1990', mobile_number: '8123 45-67', first_name: ' Ana  ' });
    expect(check(raw)).toEqual({
      problems: [],
      applicant: {
        applicantRef: 'EX-1',
        accountType: 'individual',
        providerUserId: null,
        email: 'ana@example.com',
        language: null,
        signUpCountry: 'SG',
        details: {
          firstName: 'Ana',
          lastName: 'Muestra',
          mobileCountryCode: '+65',
          mobileNumber: '81234567',
          gender: 'female',
          countryOfBirth: 'Spain',
          nationality: 'ES',
          countryOfResidence: 'SG',
          residentialAddress: '1 Example Road #01-01',
          countryCode: 'SG',
          postalCode: '000101',
          dateOfBirth: '1990-12-31',
          identificationType: 'passport',
          identificationNumber: 'X0000001',
          issueDate: '2020-05-04',
          expiryDate: '2030-05-03',
          employmentIndustry: 'Construction',
          employmentStatus: 'Employed',
          employmentPosition: 'Entry Level',
        },
        company: null,
        documents: [
          { slot: 'passport', documentType: 'passport', fileName: 'passport.pdf' },
          { slot: 'utility_bill', documentType: 'utility_bill', fileName: 'bill.pdf' },
        ],
      },
    });
  });

  test('of type company has all its fields', () => {
    expect(validOf(aCompany()).company).toEqual({
      companyName: 'Example Spices Pte. Ltd.',
      countryOfIncorporation: 'GB',
      countryOfOperations: 'SG',
      businessType: 'Food & Beverages',
      companyAddress: '21 Example Wharf',
      postalCode: '000121',
      state: 'Example State',
      city: 'Singapore',
      registrationNumber: 'EX-21',
      incorporationDate: '2012-03-14',
    });
  });

  test('signs up in the country of residence, a company where it was incorporated, unless the file says otherwise', () => {
    expect(validOf(anIndividual()).signUpCountry).toBe('SG');
    expect(validOf(aCompany()).signUpCountry).toBe('GB');
    expect(validOf(aCompany({ sign_up_country: 'ES' })).signUpCountry).toBe('ES');
  });

  const good: [string, Values][] = [
    ['names have accents', { first_name: 'José', last_name: 'Núñez Łuczak' }],
    ['names are in other scripts', { first_name: '伟', last_name: '张', name_in_chinese_characters: '张伟' }],
    ['names have apostrophes', { first_name: "D'Arcy", last_name: "'t Hooft" }],
    ['a name is a word that programs mistake', { last_name: 'Null', first_name: 'True' }],
    ['a name has one letter', { last_name: 'O' }],
    ['a name has 64 characters', { first_name: 'x'.repeat(64) }],
    ['a mail address has upper case', { email: 'Ana.Muestra@Example.COM' }],
    ['a mail address has 128 characters', { email: `${'x'.repeat(116)}@example.com` }],
    ['a postal code has zeros and letters', { postal_code: 'E1 0AB' }],
    ['a birth country exists no longer', { country_of_birth: 'Yugoslavia' }],
    ['a document was issued yesterday and expires tomorrow', { issue_date: '2026-04-09', expiry_date: '2026-04-11' }],
    ['someone was born on a leap day', { date_of_birth: '29-02-2000' }],
    ['a reference uses every kind of character', { applicant_ref: 'Az09._/-' }],
  ];

  test.each(good)('may be one whose %s', (_what, changes) => {
    expect(found(check(anIndividual(changes)))).toEqual([]);
  });
});

describe('each rule', () => {
  const cases: [string, Values, string][] = [
    ['a reference has safe characters', { applicant_ref: 'Ana Muestra' }, 'applicant_ref reference_form'],
    ['a reference has at most 64 characters', { applicant_ref: 'x'.repeat(65) }, 'applicant_ref too_long'],
    ['an account type is one of two', { account_type: 'person' }, 'account_type unknown_choice'],
    ['choices have their own capitals', { account_type: 'Individual' }, 'account_type unknown_choice'],
    ['a language is en or id', { language: 'fr' }, 'language unknown_choice'],
    ['a user id fits into an address', { provider_user_id: '../1' }, 'provider_user_id user_id_form'],
    ['a mail address has one @', { email: 'ana@b@example.com' }, 'email email_form'],
    ['a mail address has no name', { email: 'Ana <ana@example.com>' }, 'email email_form'],
    ['there is one mail address', { email: 'ana@example.com;b@example.com' }, 'email email_form'],
    ['a mail address has at most 128 characters', { email: `${'x'.repeat(117)}@example.com` }, 'email too_long'],
    ['a first name has at most 64 characters', { first_name: 'x'.repeat(65) }, 'first_name too_long'],
    ['a last name has at most 64 characters', { last_name: 'é'.repeat(65) }, 'last_name too_long'],
    ['an address is not endless', { residential_address: 'x'.repeat(10_000) }, 'residential_address too_long'],
    ['a title is one of five', { title: 'Prof' }, 'title unknown_choice'],
    ['a gender is male or female', { gender: 'f' }, 'gender unknown_choice'],
    ['an identification is a passport or nric', { identification_type: 'ktp' }, 'identification_type unknown_choice'],
    ['an employment status is of the list', { employment_status: 'Retired' }, 'employment_status unknown_choice'],
    ['a position is of the list', { employment_position: 'Boss' }, 'employment_position unknown_choice'],
    ['an industry is of the list', { employment_industry: 'Mining' }, 'employment_industry unknown_choice'],
    ['a nationality is a code', { nationality: 'Spanish' }, 'nationality country_form'],
    ['a country is in capitals', { country_of_residence: 'sg' }, 'country_of_residence country_form'],
    ['the country of the address is listed', { country_code: 'XX' }, 'country_code country_unknown'],
    ['the country of the sign-up is listed', { sign_up_country: 'ZZ' }, 'sign_up_country country_unknown'],
    ['a dialling code has its +', { mobile_country_code: '65' }, 'mobile_country_code dialling_code_form'],
    ['a dialling code is listed', { mobile_country_code: '+99' }, 'mobile_country_code dialling_code_unknown'],
    ['a number has no dialling code', { mobile_number: '+6581234567' }, 'mobile_number phone_number_form'],
    ['a number is digits', { mobile_number: '81234567 ext 2' }, 'mobile_number phone_number_form'],
    ['a day exists', { date_of_birth: '1990-02-30' }, 'date_of_birth date_form'],
    ['a day has no slashes', { date_of_birth: '31/12/1990' }, 'date_of_birth date_form'],
    ['a day is not in the order of months', { date_of_birth: '12-31-1990' }, 'date_of_birth date_form'],
    ['a birth is in the past', { date_of_birth: TODAY }, 'date_of_birth date_not_past'],
    ['an issue is in the past', { issue_date: '10-04-2026' }, 'issue_date date_not_past'],
    ['an expiry is in the future', { expiry_date: TODAY }, 'expiry_date date_not_future'],
    ['a document was issued after the birth', { issue_date: '1990-12-30' }, 'issue_date date_order'],
    ['a value has no line break', { city: 'a\nb' }, 'city line_break'],
    ['a value has no control character', { city: 'a\u0007b' }, 'city control_character'],
    ['a value does not reorder text', { city: 'a\u202eb' }, 'city control_character'],
    ['a value lost no character', { last_name: 'N\ufffd\ufffdez' }, 'last_name lost_character'],
    ["a spreadsheet's apostrophe is no text", { mobile_number: "'81234567" }, 'mobile_number leading_apostrophe'],
    ['nor before a plus', { mobile_country_code: "'+65" }, 'mobile_country_code leading_apostrophe'],
    [
      'numbers are not shortened',
      { identification_number: '1.23457E+11' },
      'identification_number scientific_notation',
    ],
    ['an individual has no company', { company_city: 'Madrid' }, 'company_city not_for_individual'],
  ];

  test.each(cases)('%s', (_rule, changes, problem) => {
    const checked = check(anIndividual(changes));
    expect(found(checked)).toEqual([problem]);
    expect(checked.applicant).toBeNull();
    expect(checked.problems[0]?.fix).not.toBe('');
  });

  test.each([
    ['a business type is of the list', { company_business_type: 'Shipping' }, 'company_business_type unknown_choice'],
    ['a company exists', { company_incorporation_date: '2027-01-01' }, 'company_incorporation_date date_not_past'],
    [
      'its countries are listed',
      { company_country_of_operations: 'XX' },
      'company_country_of_operations country_unknown',
    ],
  ])('of a company: %s', (_rule, changes, problem) => {
    expect(found(check(aCompany(changes)))).toEqual([problem]);
  });

  test('every mistake is named at once, with its place and the value as written', () => {
    const { problems } = check(anIndividual({ gender: ' F ', email: 'none', postal_code: undefined }));
    expect(
      problems.map(({ field, line, file, applicantRef, value }) => ({ field, line, file, applicantRef, value })),
    ).toEqual([
      { field: 'email', line: 2, file: 'applicants.csv', applicantRef: 'EX-1', value: 'none' },
      { field: 'gender', line: 2, file: 'applicants.csv', applicantRef: 'EX-1', value: ' F ' },
      { field: 'postal_code', line: 2, file: 'applicants.csv', applicantRef: 'EX-1', value: null },
    ]);
  });

  test('the texts do not repeat a value', () => {
    const values = {
      email: 'Geheim',
      gender: 'Geheim',
      date_of_birth: 'Geheim',
      nationality: 'Geheim',
      city: 'Geheim\u0000',
    };
    for (const { problem, fix } of check(anIndividual(values)).problems) expect(problem + fix).not.toContain('Geheim');
  });
});

describe('fixes name what was probably meant', () => {
  const fixOf = (changes: Values) => check(anIndividual(changes)).problems[0]?.fix ?? '';

  test.each([
    ['a country in small letters', { nationality: 'es' }, 'write ES'],
    ['the name of a country', { nationality: 'singapore' }, 'write SG'],
    ['a misspelt country', { nationality: 'Singapoor' }, 'SG (Singapore)'],
    ['a dialling code without +', { mobile_country_code: '0065' }, '+65'],
    ['a misspelt choice', { employment_status: 'Self Employed' }, 'did you mean Self-Employed?'],
    ['a choice', { gender: '?' }, 'male, female'],
  ])('%s', (_what, changes, part) => {
    expect(fixOf(changes)).toContain(part);
  });
});

describe('without the list of countries', () => {
  const unlisted = termsWith({ countries: null });

  test('only the form of countries and dialling codes is checked', () => {
    expect(found(check(anIndividual({ nationality: 'ZZ', mobile_country_code: '+999' }), unlisted))).toEqual([]);
    expect(found(check(anIndividual({ nationality: 'zz', mobile_country_code: '65' }), unlisted))).toEqual([
      'mobile_country_code dialling_code_form',
      'nationality country_form',
    ]);
  });

  test('nor with a list that has no dialling codes', () => {
    const countries = ['SG', 'ES'].map((code) => ({ code, diallingCode: null, name: null }));
    expect(found(check(anIndividual({ mobile_country_code: '+999' }), termsWith({ countries })))).toEqual([]);
  });
});

test.each([
  ['1990-12-31', '1990-12-31'],
  ['31-12-1990', '1990-12-31'],
  ['29-02-2000', '2000-02-29'],
  ['2000-02-29', '2000-02-29'],
  ['29-02-1900', null],
  ['31-04-1990', null],
  ['1-1-1990', null],
  ['90-12-31', null],
  ['1990-12-31T00:00:00Z', null],
  ['33603', null],
  ['', null],
])('the day %j is read as %j', (text, day) => {
  expect(readDay(text)).toBe(day);
});
