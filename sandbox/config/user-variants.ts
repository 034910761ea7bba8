import type { UserStatus } from '../account/user.ts';

/** How the sandbox reads the contract of users, companies and identity documents where it is open or has variants. */
export interface UserVariants {
  /** The status in which a sign-up starts. */
  readonly initialUserStatus: UserStatus;
  /** The outcome of a screening, some seconds after it was requested; `operator`: it waits for the control API. */
  readonly screeningOutcome: 'operator' | 'approved' | 'rejected' | 'documents_need_resubmission';
  /** What a screening request does while details are missing. */
  readonly screeningIncomplete: 'refuse' | 'unchanged';
  /** How users' dates are written: B `DD-MM-YYYY`, A `YYYY-MM-DD`, or either. */
  readonly userDateFormat: 'B' | 'A' | 'either';
  /** How the status of a user's details is answered: with the missing fields, or the value only. */
  readonly userDetailStatus: 'object' | 'string';
  /** Whether sign-ups (v2) know a companyName. */
  readonly signupCompanyName: 'on' | 'off';
  /** Whether sign-ups (v2) answer the userId. */
  readonly signupUserId: 'returned' | 'omitted';
  readonly companyPostalCode: 'string' | 'number';
  /** `earlier`: fewer document types, no contentType and contentLength. */
  readonly documentsVariant: 'later' | 'earlier';
  /** The method by which documents are uploaded to their upload URLs. */
  readonly documentUploadMethod: 'PUT' | 'POST';
  /** How the URLs of documents are spelled: uploadUrl and downloadUrl, or uploadURL and downloadURL. */
  readonly documentUrlSpelling: 'Url' | 'URL';
}

export const defaultUserVariants: UserVariants = {
  initialUserStatus: 'pending_phone',
  screeningOutcome: 'operator',
  screeningIncomplete: 'refuse',
  userDateFormat: 'B',
  userDetailStatus: 'object',
  signupCompanyName: 'on',
  signupUserId: 'returned',
  companyPostalCode: 'string',
  documentsVariant: 'later',
  documentUploadMethod: 'PUT',
  documentUrlSpelling: 'Url',
};
