import type { Applicant } from './applicant.ts';

/** Sign-up (or the read of who is taken over), the user, details, what the provider shows of them, the screening. */
const REQUESTS_OF_EVERY_CASE = 5;
/** Announced and read; uploads and downloads go to a storage host. */
const REQUESTS_OF_A_DOCUMENT = 2;

/** Requests to the provider that an applicant needs until the screening is requested, when nothing goes wrong. */
export function requestsOfApplicant({ company, documents }: Pick<Applicant, 'company' | 'documents'>): number {
  return REQUESTS_OF_EVERY_CASE + (company === null ? 0 : 1) + REQUESTS_OF_A_DOCUMENT * documents.length;
}
