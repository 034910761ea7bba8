import { describe, expect, test } from 'vitest';
import type { Applicant } from '../../domain/onboarding/applicant.ts';
import { checkChange, isChange } from '../../domain/onboarding/check-change.ts';
import {
  aCompany,
  anIndividual,
  aRaw,
  type Documents,
  found,
  termsWith,
  type Values,
  validOf,
} from './onboarding-applicants.ts';

const individual = validOf(anIndividual({ city: 'Singapore', language: 'en', title: 'Ms' }));
const company = validOf(aCompany());

const change = (current: Applicant, values: Values, documents: Documents = {}, terms = termsWith()) =>
  checkChange(aRaw(values, documents, 3), { current, isCompanyFixed: false }, terms);

describe('new values for an applicant in the database', () => {
  test('leave what is not given as it is', () => {
    const { applicant, newDocuments, problems } = change(individual, {
      postal_code: '000202',
      issue_date: '04-05-2021',
    });
    expect(problems).toEqual([]);
    expect(newDocuments).toEqual([]);
    const details = { ...individual.details, postalCode: '000202', issueDate: '2021-05-04' };
    expect(applicant).toEqual({ ...individual, details });
  });

  test('remove an optional value by null', () => {
    const { applicant } = change(individual, { city: null });
    const { city, ...details } = individual.details;
    expect(city).toBe('Singapore');
    expect(applicant).toEqual({ ...individual, details });
  });

  test('do not move the sign-up to another country', () => {
    expect(change(individual, { country_of_residence: 'ES' }).applicant?.signUpCountry).toBe('SG');
  });

  test('replace the document of their slot, and add others', () => {
    const { applicant, newDocuments } = change(individual, {}, { passport: 'second.pdf', passport_2: 'proof.pdf' });
    const given = [
      { slot: 'passport', documentType: 'passport', fileName: 'second.pdf' },
      { slot: 'passport_2', documentType: 'passport', fileName: 'proof.pdf' },
    ];
    expect(newDocuments).toEqual(given);
    expect(applicant?.documents).toEqual([individual.documents[1], ...given]);
  });

  test('may repeat what was sent with the sign-up', () => {
    const same = {
      applicant_ref: 'EX-1',
      account_type: 'individual',
      email: 'Ana@Example.com',
      provider_user_id: null,
    };
    const { applicant } = change(individual, { ...same, city: 'Jurong' });
    expect(applicant).toEqual({ ...individual, details: { ...individual.details, city: 'Jurong' } });
  });

  test.each<[string, Applicant, Values, Documents, string]>([
    ['cannot change the mail address', individual, { email: 'b@example.com' }, {}, 'email fixed_value'],
    ['cannot change the account type', individual, { account_type: 'company' }, {}, 'account_type fixed_value'],
    ['cannot change the language', individual, { language: null }, {}, 'language fixed_value'],
    [
      'cannot change the country of the sign-up',
      individual,
      { sign_up_country: 'ES' },
      {},
      'sign_up_country fixed_value',
    ],
    // Contract: account 2.5, read-only in the update.
    ['cannot change the name of a company', company, { company_name: 'Other Ltd' }, {}, 'company_name fixed_value'],
    ['are of the same case', individual, { applicant_ref: 'EX-2' }, {}, 'applicant_ref other_reference'],
    ['are no empty texts', individual, { city: '' }, {}, 'city empty_value'],
    ['do not remove what the screening requires', individual, { postal_code: null }, {}, 'postal_code missing_value'],
    ['do not remove a document', individual, {}, { passport: null }, 'document_passport document_removal'],
    ['are checked as those of a new applicant', individual, { nationality: 'ZZ' }, {}, 'nationality country_unknown'],
    ['do not make a company', individual, { company_city: 'Madrid' }, {}, 'company_city not_for_individual'],
    ['have their files', individual, {}, { photo: 'gone.jpg' }, 'document_photo document_missing'],
  ])('%s', (_rule, current, values, documents, problem) => {
    const checked = change(current, values, documents);
    expect(found(checked)).toContain(problem);
    expect(checked.problems.find(({ code }) => problem.endsWith(code))).toMatchObject({
      line: 3,
      applicantRef: 'EX-1',
    });
    expect(checked.applicant).toBeNull();
  });

  test('leave a company as it is once its screening has begun', () => {
    const late = (values: Values) =>
      checkChange(aRaw(values, {}, 3), { current: company, isCompanyFixed: true }, termsWith());
    const [year = '', month = '', date = ''] = company.company?.incorporationDate.split('-') ?? [];
    const same = { company_incorporation_date: `${date}-${month}-${year}`, company_city: company.company?.city ?? '' };
    expect(late({ ...same, city: 'Jurong' }).problems).toEqual([]);
    const other = late({ ...same, company_city: 'Madrid', company_postal_code: '999' });
    expect(found(other)).toEqual(['company_postal_code fixed_value', 'company_city fixed_value']);
    expect(other.applicant).toBeNull();
  });

  test('are refused where a value in the database has become wrong meanwhile', () => {
    const later = termsWith({ today: '2031-01-01' });
    const { problems } = change(individual, { city: 'Jurong' }, {}, later);
    expect(problems).toMatchObject([{ field: 'expiry_date', code: 'date_not_future', line: null }]);
    const renewed = { issue_date: '2030-05-04', expiry_date: '2040-05-03' };
    expect(change(individual, renewed, {}, later).problems).toEqual([]);
  });

  test('need something beside what names the case', () => {
    expect(isChange(aRaw({}, {}))).toBe(false);
    expect(isChange(aRaw({ applicant_ref: 'EX-1', email: 'ana@example.com' }, {}))).toBe(false);
    expect(isChange(aRaw({ city: null }, {}))).toBe(true);
    expect(isChange(aRaw({}, { photo: 'p.png' }))).toBe(true);
  });
});
