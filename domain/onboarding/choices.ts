/** The values that the provider accepts where it accepts only certain ones. Contract: account 2.1, 2.4, 2.6, 2.11. */

export const ACCOUNT_TYPES = ['company', 'individual'] as const;

export const LANGUAGES = ['en', 'id'] as const;

export const TITLES = ['Mr', 'Mrs', 'Miss', 'Ms', 'Dr'] as const;

export const GENDERS = ['male', 'female'] as const;

export const IDENTIFICATION_TYPES = ['passport', 'nric'] as const;

export const EMPLOYMENT_STATUSES = ['Employed', 'Unemployed', 'Student', 'Self-Employed'] as const;

export const EMPLOYMENT_POSITIONS = [
  'Entry Level',
  'Mid-Level/Supervisory/Management',
  'Senior Level/Executive',
  'Owner',
] as const;

/** Differs from the list of business types, in some entries by one letter. */
export const EMPLOYMENT_INDUSTRIES = [
  'Advertising/Media/Communications',
  'Administration/Clerical/Facilities Svc',
  'Agriculture/Manufacturing',
  'Banking/Finance/Insurance',
  'Construction',
  'Government/Civil Servant',
  'Personal Care Services',
  'Domestic Helper/Child Care',
  'Education/Teaching',
  'Hotel/Restaurant',
  'Information Technology',
  'Transportation/Shipping',
  'Military/Law Enforcement',
  'Automotive Repairs and Sales',
  'Medical & Health',
  'Real Estate/Property',
  'Retail/Sales',
  'Tourism/Airlines/Maritime',
  'Arts/Entertainment and Recreation',
  'Mining/Oil and Gas/Energy',
  'Water/Utilities/Waste Management',
  'Science',
] as const;

/** Differs from the list of employment industries, in some entries by one letter. */
export const BUSINESS_TYPES = [
  'Accounting/Audit/Consulting',
  'Agriculture',
  'Antiques & Artpiece',
  'Banking/Financial/Insurance',
  'Construction & Development',
  'Education',
  'Engineering',
  'Entertainment & Recreation',
  'Food & Beverages',
  'Forestry & Logging',
  'Government Bodies',
  'Hotel & Lodging',
  'Information Technology',
  'Legal & Judiciary',
  'Logistics',
  'Manufacturing',
  'Media & Communications',
  'Medical & Healthcare',
  'Mining & Quarrying',
  'Money Lending',
  'Non-Profit Organisation',
  'Oil & Gas',
  'Pawnshop',
  'Professional Services Firm',
  'Real Estate',
  'Trading/Retail/Wholesale',
  'Transportation',
  'Utilities',
  'Travel/Tourism',
  'Unknown - Unknown',
  'Others',
] as const;

export const DOCUMENT_TYPES = [
  'national_identity',
  'company_proof',
  'company_address_proof',
  'nric',
  'passport',
  'ktp',
  'employment_pass',
  's_pass',
  'work_permit',
  'photo',
  'bank_statement',
  'utility_bill',
  'phone_bill',
  'tax_bill',
  'family_card',
  // The last two are not in every version of the contract.
  'identity_report',
  'fdw',
] as const;

type KnownDocumentType = (typeof DOCUMENT_TYPES)[number];

/** A user has at most so many files of one type. */
const MAX_FILES_OF_A_TYPE = 20;

/**
 * The document type of a slot, which is the type itself or, for further files of the type, the type with a number from 2:
 * `passport`, `passport_2`. Null: it is no slot.
 */
export function documentTypeOfSlot(slot: string): KnownDocumentType | null {
  const [, name = '', number] = /^(.+?)(?:_([1-9]\d?))?$/.exec(slot) ?? [];
  const count = number === undefined ? 1 : Number(number);
  if (number === '1' || count > MAX_FILES_OF_A_TYPE) return null;
  return DOCUMENT_TYPES.find((type) => type === name) ?? null;
}
