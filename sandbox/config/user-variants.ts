import type { UserStatus } from '../account/user.ts';

/** How the sandbox reads the contract of users, companies and identity documents where it is open or has variants. */
export interface UserVariants {
  /** What a second sign-up with the same e-mail does; `accept`: it makes a second user. */
  readonly secondSignUp: 'refuse' | 'accept';
  /** The status in which a sign-up starts. */
  readonly initialUserStatus: UserStatus;
  /**
   * The outcome of a screening, some seconds after it was requested; `operator`: it waits for the control API, unless
   * the first name is a magic value.
   */
  readonly screeningOutcome: 'operator' | 'approved' | 'rejected' | 'documents_need_resubmission';
  /** What a screening request does while details are missing. */
  readonly screeningIncomplete: 'refuse' | 'unchanged';
  /** The status in the answer to a screening request: the new or the previous one, as the new one shows later. */
  readonly screeningAnswer: 'new' | 'old';
  /** Whether a screening goes through pending_verification before its outcome. */
  readonly screeningSteps: 'direct' | 'verification';
  /** Whether a rejected user has the operator's remarks; a user who must resubmit documents always has them. */
  readonly rejectionRemarks: 'present' | 'absent';
  /**
   * Which statuses of a user are notified: every one, all but the initial one, or only approved, rejected and
   * documents_need_resubmission.
   */
  readonly userEvents: 'every' | 'changes' | 'decisions';
  /** How users' dates are written. Contract: format B, format A, or either. */
  readonly userDateFormat: 'DD-MM-YYYY' | 'YYYY-MM-DD' | 'either';
  /** How the status of a user's details is answered: with the missing fields, or the value only. */
  readonly userDetailStatus: 'object' | 'string';
  /** Whether sign-ups (v2) know a companyName. */
  readonly signupCompanyName: 'on' | 'off';
  /** Whether the response to a sign-up (v2) includes the userId. */
  readonly signupUserId: 'returned' | 'omitted';
  readonly companyPostalCode: 'string' | 'number';
  /** `earlier`: fewer document types, no contentType and contentLength. */
  readonly documentsVariant: 'later' | 'earlier';
  /** The method by which documents are uploaded to their upload URLs. */
  readonly documentUploadMethod: 'PUT' | 'POST';
  /** How the URLs of documents are spelled: uploadUrl and downloadUrl, or uploadURL and downloadURL. */
  readonly documentUrlSpelling: 'Url' | 'URL';
}

/** The variants that the seed chooses unless they are set. `resolvedOptions` says from which values. */
export type SeededVariant =
  | 'initialUserStatus'
  | 'screeningIncomplete'
  | 'screeningAnswer'
  | 'screeningSteps'
  | 'rejectionRemarks'
  | 'userEvents'
  | 'userDetailStatus'
  | 'signupUserId'
  | 'companyPostalCode'
  | 'documentUrlSpelling';

/** `seeded`: from the seed, or with plain answers the value of `plainUserVariants`. */
export type SeededVariantOptions = { readonly [Variant in SeededVariant]: UserVariants[Variant] | 'seeded' };

export type UserVariantOptions = Omit<UserVariants, SeededVariant> & SeededVariantOptions;

/** The variants of plain answers, which were also the defaults of versions that drew none. */
export const plainUserVariants: UserVariants = {
  secondSignUp: 'refuse',
  initialUserStatus: 'pending_phone',
  screeningOutcome: 'operator',
  screeningIncomplete: 'refuse',
  screeningAnswer: 'new',
  screeningSteps: 'direct',
  rejectionRemarks: 'present',
  userEvents: 'every',
  userDateFormat: 'DD-MM-YYYY',
  userDetailStatus: 'object',
  signupCompanyName: 'on',
  signupUserId: 'returned',
  companyPostalCode: 'string',
  documentsVariant: 'later',
  documentUploadMethod: 'PUT',
  documentUrlSpelling: 'Url',
};

export const defaultUserVariants: UserVariantOptions = {
  ...plainUserVariants,
  initialUserStatus: 'seeded',
  screeningIncomplete: 'seeded',
  screeningAnswer: 'seeded',
  screeningSteps: 'seeded',
  rejectionRemarks: 'seeded',
  userEvents: 'seeded',
  userDetailStatus: 'seeded',
  signupUserId: 'seeded',
  companyPostalCode: 'seeded',
  documentUrlSpelling: 'seeded',
};
