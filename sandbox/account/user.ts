/** Also the statuses of a screening and of its account. Contract: account 3. */
export const userStatuses = [
  'pending_phone',
  'pending_docs',
  'pending_approval',
  'approved',
  'rejected',
  'documents_need_resubmission',
  'pending_verification',
  'inactive',
] as const;

export type UserStatus = (typeof userStatuses)[number];

/** The details of a user, in the order of the answer. Contract: account 2.4. */
export const detailFields = [
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

export type UserDetails = Partial<Record<(typeof detailFields)[number], string | null | undefined>>;

const optionalForScreening: ReadonlySet<string> = new Set([
  'title',
  'formerName',
  'aliasName',
  'state',
  'city',
  'expiryDate',
  'occupation',
  'nameInChineseCharacters',
]);

/** The fields of a company that an update sets. Contract: account 2.5. */
export const companyFields = [
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

export type CompanyDetails = Record<(typeof companyFields)[number], string>;

export interface Company {
  readonly name: string | null;
  /** Null until the first update. */
  details: CompanyDetails | null;
}

export interface User {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly details: UserDetails;
  /** Null for an individual. */
  readonly company: Company | null;
  status: UserStatus;
  /** The operator's remarks on a rejection or a resubmission. */
  remarks: string | null;
}

/** The missing details of a screening; an expiry date is needed only for a passport. */
export const missingDetails = ({ details }: User): string[] =>
  detailFields.filter((field) => {
    const needed =
      !optionalForScreening.has(field) || (field === 'expiryDate' && details.identificationType === 'passport');
    return needed && !details[field];
  });
