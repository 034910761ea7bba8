import type { ApplicantProblemCode } from './applicant-problem-codes.ts';

/**
 * What is wrong with an applicant, and what to do. It quotes what was submitted: it is answered to the person who
 * submitted it, and never stored or logged.
 */
export interface ApplicantProblem {
  code: ApplicantProblemCode;
  /** The file: of the applicants, or a document. */
  file: string | null;
  /** Line of the file, from 1; null: the file as a whole. */
  line: number | null;
  applicantRef: string | null;
  /** As the file names it, in snake_case: a field or a column. */
  field: string | null;
  value: string | null;
  problem: string;
  fix: string;
}
