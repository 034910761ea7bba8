import { MAX_TEXT_LENGTH } from '../payment-file/requirement-pattern.ts';
import { type Applicant, type ApplicantCompany, COMPANY_FIELDS, DETAIL_FIELDS, type DetailField } from './applicant.ts';
import {
  ACCOUNT_TYPES,
  BUSINESS_TYPES,
  EMPLOYMENT_INDUSTRIES,
  EMPLOYMENT_POSITIONS,
  EMPLOYMENT_STATUSES,
  GENDERS,
  IDENTIFICATION_TYPES,
  LANGUAGES,
  TITLES,
} from './choices.ts';

/** The fields of an applicant's file: keys of YAML and JSON, columns of a CSV. Contract: account 2.1, 2.4, 2.5. */

export type FieldKind =
  | 'reference'
  | 'user_id'
  | 'email'
  | 'choice'
  | 'country'
  | 'dialling_code'
  | 'phone_number'
  | 'day'
  | 'text';

/**
 * What needs the field: the sign-up; the screening (KYC in the contract; a company's fields for companies alone); the
 * screening of who is identified by a passport; nothing.
 */
type FieldNeed = 'sign_up' | 'screening' | 'passport' | 'optional';

interface FieldRules {
  label: string;
  kind: FieldKind;
  need: FieldNeed;
  /** In UTF-16 units, without surrounding blanks. */
  maxLength: number;
  /** Of a `choice`. */
  choices: readonly string[];
}

type Snake<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${Snake<Rest>}`
    : `_${Lowercase<First>}${Snake<Rest>}`
  : Text;

type CompanyName<Field extends string> = Field extends `company${string}` ? Snake<Field> : `company_${Snake<Field>}`;

type OwnField = 'applicantRef' | 'accountType' | 'providerUserId' | 'email' | 'language' | 'signUpCountry';

type DetailKey = Snake<DetailField>;
type CompanyKey = CompanyName<keyof ApplicantCompany>;
export type ApplicantKey = Snake<OwnField> | DetailKey | CompanyKey;

export interface ApplicantField extends FieldRules {
  key: ApplicantKey;
  /** The part of `Applicant` that has the field; `applicant`: itself. */
  part: 'applicant' | 'details' | 'company';
  /** The name of the field in its part. */
  field: string;
}

/** The contract limits names and mail addresses at sign-up. Other texts have the limit of every text that payrun sends. */
const MAX_NAME_LENGTH = 64;
const MAX_EMAIL_LENGTH = 128;

const rules = (kind: FieldKind, label: string, need: FieldNeed, maxLength = MAX_TEXT_LENGTH): FieldRules => ({
  label,
  kind,
  need,
  maxLength,
  choices: [],
});
const text = (label: string, need: FieldNeed, maxLength?: number) => rules('text', label, need, maxLength);
const country = (label: string, need: FieldNeed) => rules('country', label, need);
const day = (label: string, need: FieldNeed) => rules('day', label, need);
const choice = (label: string, choices: readonly string[], need: FieldNeed) => ({
  ...rules('choice', label, need),
  choices,
});

const OWN: Readonly<Record<OwnField, FieldRules>> = {
  applicantRef: rules('reference', 'Your reference of the applicant', 'sign_up', 64),
  accountType: choice('Account type', ACCOUNT_TYPES, 'sign_up'),
  providerUserId: rules('user_id', "The provider's id of a user who exists already", 'optional', 128),
  email: rules('email', 'E-mail address', 'sign_up', MAX_EMAIL_LENGTH),
  language: choice('Language', LANGUAGES, 'optional'),
  signUpCountry: country('Country of the sign-up', 'optional'),
};

/** The contract names no list for the country of birth: it may exist no longer. */
const DETAILS: Readonly<Record<DetailField, FieldRules>> = {
  title: choice('Title', TITLES, 'optional'),
  firstName: text('First name', 'screening', MAX_NAME_LENGTH),
  lastName: text('Last name', 'screening', MAX_NAME_LENGTH),
  mobileCountryCode: rules('dialling_code', 'Dialling code of the mobile number', 'screening'),
  mobileNumber: rules('phone_number', 'Mobile number, without the dialling code', 'screening'),
  formerName: text('Former name', 'optional'),
  aliasName: text('Alias', 'optional'),
  gender: choice('Gender', GENDERS, 'screening'),
  countryOfBirth: text('Country of birth', 'screening'),
  nationality: country('Nationality', 'screening'),
  countryOfResidence: country('Country of residence', 'screening'),
  residentialAddress: text('Residential address', 'screening'),
  countryCode: country('Country of the residential address', 'screening'),
  state: text('State or province', 'optional'),
  city: text('City', 'optional'),
  postalCode: text('Postal code', 'screening'),
  dateOfBirth: day('Date of birth', 'screening'),
  identificationType: choice('Type of the identification document', IDENTIFICATION_TYPES, 'screening'),
  identificationNumber: text('Number of the identification document', 'screening'),
  issueDate: day('Issue date of the identification document', 'screening'),
  expiryDate: day('Expiry date of the identification document', 'passport'),
  employmentIndustry: choice('Industry of employment', EMPLOYMENT_INDUSTRIES, 'screening'),
  employmentStatus: choice('Employment status', EMPLOYMENT_STATUSES, 'screening'),
  employmentPosition: choice('Position', EMPLOYMENT_POSITIONS, 'screening'),
  occupation: text('Occupation', 'optional'),
  nameInChineseCharacters: text('Name in Chinese characters', 'optional'),
};

const COMPANY: Readonly<Record<keyof ApplicantCompany, FieldRules>> = {
  companyName: text('Name of the company', 'sign_up'),
  countryOfIncorporation: country('Country of incorporation', 'screening'),
  countryOfOperations: country('Country of operations', 'screening'),
  businessType: choice('Business type', BUSINESS_TYPES, 'screening'),
  companyAddress: text('Address of the company', 'screening'),
  postalCode: text('Postal code of the company', 'screening'),
  state: text('State or province of the company', 'screening'),
  city: text('City of the company', 'screening'),
  registrationNumber: text('Business registration number', 'screening'),
  incorporationDate: day('Date of incorporation', 'screening'),
};

const keyOf = (field: string) => snakeCase(field) as ApplicantKey;
const companyKeyOf = (field: string) => keyOf(field.startsWith('company') ? field : `company_${field}`);

/** Every field, in the order of guides and lists of problems. */
export const APPLICANT_FIELDS: readonly ApplicantField[] = [
  ...(Object.keys(OWN) as OwnField[]).map(
    (field): ApplicantField => ({ key: keyOf(field), part: 'applicant', field, ...OWN[field] }),
  ),
  ...DETAIL_FIELDS.map((field): ApplicantField => ({ key: keyOf(field), part: 'details', field, ...DETAILS[field] })),
  ...(['companyName', ...COMPANY_FIELDS] as const).map(
    (field): ApplicantField => ({ key: companyKeyOf(field), part: 'company', field, ...COMPANY[field] }),
  ),
];

const byKey: ReadonlyMap<string, ApplicantField & { position: number }> = new Map(
  APPLICANT_FIELDS.map((field, position) => [field.key, { ...field, position }]),
);

export function isApplicantKey(name: string): name is ApplicantKey {
  return byKey.has(name);
}

/** The position of a key in the table, from 0; an unknown name, as of a document, comes after all keys. */
export function fieldPosition(name: string): number {
  return byKey.get(name)?.position ?? APPLICANT_FIELDS.length;
}

/** Fields that every applicant of whatever account type must have. */
export const REQUIRED_KEYS: readonly ApplicantKey[] = APPLICANT_FIELDS.filter(
  ({ part, need }) => part !== 'company' && (need === 'sign_up' || need === 'screening'),
).map(({ key }) => key);

/** Details that every screening requires (KYC in the contract), whatever the type of the identification document. */
export const REQUIRED_DETAILS: readonly DetailField[] = DETAIL_FIELDS.filter(
  (field) => DETAILS[field].need === 'screening',
);

/** Sent with the sign-up alone: what is changed afterwards cannot take effect. Contract: account 2.1, 2.5. */
export const SIGN_UP_KEYS: readonly ApplicantKey[] = [
  ...(Object.keys(OWN) as OwnField[]).map(keyOf),
  companyKeyOf('companyName'),
];

/** Of companies alone. */
export const COMPANY_KEYS: readonly ApplicantKey[] = APPLICANT_FIELDS.filter(({ part }) => part === 'company').map(
  ({ key }) => key,
);

/** The values of an applicant by the keys of an applicants' file; those that are not given are left out. */
export function applicantValues(applicant: Applicant): Partial<Record<ApplicantKey, string>> {
  const parts: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    applicant: { ...applicant },
    details: applicant.details,
    company: { ...applicant.company },
  };
  return Object.fromEntries(
    APPLICANT_FIELDS.flatMap(({ key, part, field }) => {
      const value = parts[part]?.[field];
      return typeof value === 'string' ? [[key, value] as const] : [];
    }),
  );
}

/** `firstName` as files and people write it: `first_name`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
