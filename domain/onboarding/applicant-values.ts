import type { Applicant } from './applicant.ts';
import { APPLICANT_FIELDS, type ApplicantKey } from './applicant-fields.ts';

/** The values of an applicant by the keys of an applicants' file; those that are not given are left out. */
export function applicantValues(applicant: Applicant): Partial<Record<ApplicantKey, string>> {
  const parts: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    applicant: { ...applicant },
    details: applicant.details,
    company: { ...applicant.company },
  };
  return Object.fromEntries(
    APPLICANT_FIELDS.flatMap(({ key, part, field }) => {
      const value = parts[part]?.[field];
      return typeof value === 'string' ? [[key, value] as const] : [];
    }),
  );
}
