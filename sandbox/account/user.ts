import type { SandboxOptions } from '../config/defaults.ts';
import type { Json } from '../core/json.ts';

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

/** Every detail of a user, in the order of the answer. Contract: account 2.4. */
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

const notScreened: ReadonlySet<string> = new Set([
  'title',
  'formerName',
  'aliasName',
  'state',
  'city',
  'expiryDate',
  'occupation',
  'nameInChineseCharacters',
]);

/** What a company says about itself when it is updated. Contract: account 2.5. */
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
  /** What the operator says to a rejection or a resubmission. */
  remarks: string | null;
}

/** The details that a screening still needs: an expiry date only for a passport. */
export const missingDetails = ({ details }: User): string[] =>
  detailFields.filter((field) => {
    const needed = !notScreened.has(field) || (field === 'expiryDate' && details.identificationType === 'passport');
    return needed && !details[field];
  });

/** Contract: account 2.3. */
export const userAnswer = (user: User): Json => ({
  id: user.id,
  email: user.email,
  firstName: user.details.firstName ?? null,
  lastName: user.details.lastName ?? null,
  status: user.status,
  accountId: user.accountId,
  remarks:
    user.status === 'rejected' || user.status === 'documents_need_resubmission' ? (user.remarks ?? '') : undefined,
});

/** Contract: account 2.4. */
export function detailsAnswer(user: User, { userDetailStatus }: Pick<SandboxOptions, 'userDetailStatus'>): Json {
  const missing = missingDetails(user);
  const value = missing.length === 0 ? 'complete' : 'incomplete';
  return {
    ...Object.fromEntries(detailFields.map((field) => [field, user.details[field] ?? null])),
    status: userDetailStatus === 'object' ? { value, missing_fields: missing } : value,
  };
}
