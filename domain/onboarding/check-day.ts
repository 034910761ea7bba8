import { isCalendarDate } from '../calendar-date.ts';
import type { ApplicantKey } from './applicant-fields.ts';
import type { ApplicantValidation } from './applicant-validation.ts';

/** The day as YYYY-MM-DD, of a text in this form or as DD-MM-YYYY; null if it is no day that exists. */
export function readDay(text: string): string | null {
  const day = text.replace(/^(\d{2})-(\d{2})-(\d{4})$/, '$3-$2-$1');
  return isCalendarDate(day) ? day : null;
}

const PAST: readonly ApplicantKey[] = ['date_of_birth', 'issue_date', 'company_incorporation_date'];

/** How the days relate to `today` (YYYY-MM-DD, in the time zone of the account) and to each other. */
export function checkDays(applicant: ApplicantValidation, today: string): void {
  for (const key of PAST) {
    const day = applicant.accepted(key);
    if (day === null || day < today) continue;
    applicant.addProblem(key, {
      code: 'date_not_past',
      problem: `${key} is not in the past`,
      fix: 'compare it with the document',
    });
  }
  const expiryDate = applicant.accepted('expiry_date');
  if (expiryDate !== null && expiryDate <= today) {
    applicant.addProblem('expiry_date', {
      code: 'date_not_future',
      problem: 'expiry_date is not in the future',
      fix: 'correct it, or ask the applicant for a valid document',
    });
  }
  const dateOfBirth = applicant.accepted('date_of_birth');
  const issueDate = applicant.accepted('issue_date');
  const isEitherWrong = applicant.hasProblem('date_of_birth') || applicant.hasProblem('issue_date');
  if (dateOfBirth !== null && issueDate !== null && issueDate < dateOfBirth && !isEitherWrong) {
    applicant.addProblem('issue_date', {
      code: 'date_order',
      problem: 'issue_date is before date_of_birth',
      fix: 'compare both days with the document',
    });
  }
}
