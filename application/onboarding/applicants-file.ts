import type { ApplicantFileFormat } from '../../api/onboarding/submission.ts';
import type { ApplicantProblem } from '../../domain/onboarding/applicant-problem.ts';
import type { RawApplicant } from '../../domain/onboarding/raw-applicant.ts';

/** A file of applicants as it was submitted. */
export interface ApplicantsFile {
  fileName: string;
  format: ApplicantFileFormat;
  content: Uint8Array;
}

/** What is wrong with the form of a file. Lines are counted from 1; null: the file as a whole. */
export type FormProblem = Pick<ApplicantProblem, 'code' | 'line' | 'field' | 'problem' | 'fix'>;

/** A case is also prepared again with values that stay as they are. */
export const NOTHING_NEW_FIX =
  'give what changes; to have the case prepared again without a change, repeat one of its values, such as its postal_code';

export interface ReadApplicants {
  /** Null: the file cannot be read as a whole. */
  applicants: RawApplicant[] | null;
  problems: FormProblem[];
}

/** Of YAML and JSON: every field fits at its greatest length. */
export const MAX_TREE_BYTES = 64 * 1024;
