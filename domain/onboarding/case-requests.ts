import type { Applicant } from './applicant.ts';

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
