/** Also the statuses of a screening and of its account; `pending` is in a sample only. Contract: account 3. */
export const userStatuses = [
  'pending_phone',
  'pending_docs',
  'pending_approval',
  'approved',
  'rejected',
  'documents_need_resubmission',
  'pending_verification',
  'pending',
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
  /** Increases with every screening and every status that an operator sets: what was scheduled before has no effect. */
  decisionNumber: number;
  /** Whether its status was documents_need_resubmission before. */
  wasAskedToResubmit: boolean;
}

/** What a user's details and company lack for a screening, by the names of the fields. */
export interface MissingDetails {
  readonly details: readonly string[];
  readonly company: readonly string[];
  /** Whether an expiry date may be needed, as it is not known yet what identifies the user. */
  readonly mayNeedExpiryDate: boolean;
}

/**
 * The fields that a screening requires and that have no value; an expiry date is required only for a passport. Contract:
 * account 2.4 and 2.5, fields marked KYC.
 */
export function missingDetails(
  details: Readonly<UserDetails>,
  company: Pick<Company, 'details'> | null,
): MissingDetails {
  const isMissing = (field: (typeof detailFields)[number]): boolean => !details[field];
  const isRequired = (field: string): boolean =>
    !optionalForScreening.has(field) || (field === 'expiryDate' && details.identificationType === 'passport');
  return {
    details: detailFields.filter((field) => isRequired(field) && isMissing(field)),
    company: company !== null && company.details === null ? companyFields : [],
    mayNeedExpiryDate: isMissing('identificationType') && isMissing('expiryDate'),
  };
}
