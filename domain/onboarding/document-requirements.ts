import type { Applicant } from './applicant.ts';
import type { DOCUMENT_TYPES } from './choices.ts';

/** Which documents an applicant must have. The contract does not say, so an installation may have its own list. */
export interface DocumentRequirement {
  accountType: Applicant['accountType'];
  /** ISO 3166-1 alpha-2, of the sign-up; null: any. */
  countries: readonly string[] | null;
  /** Each entry: one document of any of these types. */
  documents: readonly (readonly string[])[];
}

/** The first entry that matches counts. An applicant whom no entry matches needs no document. */
export type DocumentRequirements = readonly DocumentRequirement[];

type Types = readonly (typeof DOCUMENT_TYPES)[number][];

const IDENTITY: Types = ['passport', 'nric', 'national_identity', 'ktp'];
const PERSON_ADDRESS: Types = ['utility_bill', 'phone_bill', 'bank_statement', 'tax_bill'];

/**
 * An assumption, after what such checks usually ask for: of a person, who they are and where they live; of a company, that it
 * exists, where it is, and who its contact is. The provider asks for more by a resubmission.
 */
export const DEFAULT_DOCUMENT_REQUIREMENTS: DocumentRequirements = [
  { accountType: 'individual', countries: null, documents: [IDENTITY, PERSON_ADDRESS] },
  { accountType: 'company', countries: null, documents: [['company_proof'], ['company_address_proof'], IDENTITY] },
];

/**
 * The entries of the requirement without any of the `given` types. If the country is not known (null), only a requirement
 * that would count for every country is used.
 */
export function missingDocuments(
  requirements: DocumentRequirements,
  { accountType, country }: { accountType: Applicant['accountType']; country: string | null },
  given: ReadonlySet<string>,
): readonly (readonly string[])[] {
  const first = requirements.find(
    (entry) =>
      entry.accountType === accountType &&
      (entry.countries === null || country === null || entry.countries.includes(country)),
  );
  if (first === undefined || (country === null && first.countries !== null)) return [];
  return first.documents.filter((types) => !types.some((type) => given.has(type)));
}
