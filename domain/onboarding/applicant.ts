/**
 * An applicant as an onboarder submits it. Personal data: it is stored encrypted, and never part of a history, a log or an audit
 * entry. Days are YYYY-MM-DD. Contract: account 2.1, 2.4, 2.5, 2.6.
 */
export interface Applicant {
  /** The team's own reference, unique for the account: no name, no mail address. */
  applicantRef: string;
  accountType: 'individual' | 'company';
  /** A user of the provider that exists already and is taken over; null: the applicant is signed up. */
  providerUserId: string | null;
  email: string;
  language: 'en' | 'id' | null;
  /** ISO 3166-1 alpha-2: the country of the sign-up. */
  signUpCountry: string;
  /** Of the person, or of a company's contact. Names are in it as well. */
  details: ApplicantDetails;
  /** Null for an individual. */
  company: ApplicantCompany | null;
  documents: readonly ApplicantDocument[];
}

export const DETAIL_FIELDS = [
  'title',
  'firstName',
  'lastName',
  'mobileCountryCode',
  'mobileNumber',
  'formerName',
  'aliasName',
  'gender',
  'countryOfBirth',
  'nationality',
  'countryOfResidence',
  'residentialAddress',
  'countryCode',
  'state',
  'city',
  'postalCode',
  'dateOfBirth',
  'identificationType',
  'identificationNumber',
  'issueDate',
  'expiryDate',
  'employmentIndustry',
  'employmentStatus',
  'employmentPosition',
  'occupation',
  'nameInChineseCharacters',
] as const;
export type DetailField = (typeof DETAIL_FIELDS)[number];

/** Absent: not given. */
export type ApplicantDetails = Partial<Record<DetailField, string>> & { firstName: string; lastName: string };

export const COMPANY_FIELDS = [
  'countryOfIncorporation',
  'countryOfOperations',
  'businessType',
  'companyAddress',
  'postalCode',
  'state',
  'city',
  'registrationNumber',
  'incorporationDate',
] as const;
export type CompanyField = (typeof COMPANY_FIELDS)[number];

/** The provider's update takes all nine fields. */
export type ApplicantCompany = Record<CompanyField, string> & { companyName: string };

export interface ApplicantDocument {
  /** The document type, or the type with a number for a further file: `passport`, `passport_2`. */
  slot: string;
  documentType: string;
  /** The name by which the applicant's file names it. */
  fileName: string;
}

/** The days among the details, which providers write in two formats. */
export const DETAIL_DAYS: readonly DetailField[] = ['dateOfBirth', 'issueDate', 'expiryDate'];

/** Sign-up (or the read of who is taken over), the user, details, what the provider shows of them, the screening. */
const REQUESTS_OF_EVERY_CASE = 5;
/** Announced and read; uploads and downloads go to a storage host. */
const REQUESTS_OF_A_DOCUMENT = 2;

/**
 * Requests to the provider that an applicant needs until the screening is requested, when nothing goes wrong. Where the answer
 * to the request for a screening does not show it, the user is read once more: the contract is silent about it.
 */
export function requestsOfApplicant(
  { company, documents }: Pick<Applicant, 'company' | 'documents'>,
  isScreeningRead: boolean,
): number {
  const others = (company === null ? 0 : 1) + (isScreeningRead ? 1 : 0);
  return REQUESTS_OF_EVERY_CASE + others + REQUESTS_OF_A_DOCUMENT * documents.length;
}
