import type { FileProblems } from '../../api/payment-file/row-problem.ts';
import type { AcceptedSubmission } from '../../api/runs/submission.ts';
import type { FileContent, SubmittedFile } from '../payment-file/file-content.ts';

export interface Submission {
  /** Null: the only account that the user is limited to, or the first configured one for a user without a limit. */
  account: string | null;
  fileName: string;
  csv: FileContent;
  /** Columns that are the same for all rows. */
  defaults: Record<string, string>;
  /** Other people's headers, each with our column. */
  mapping: Record<string, string>;
  files: SubmittedFile[];
  /** What becomes of a file with invalid rows: all of it is refused, or those rows are left out and listed. */
  onInvalid: 'reject' | 'skip';
  /** The same submission with the same key is the same run. Null: every submission is a new run. */
  idempotencyKey: string | null;
}

/** Lists of problems and warnings hold the first 1,000 in the order of the file; the counts are of all. */
export type SubmitOutcome = ({ kind: 'accepted' } & AcceptedSubmission) | ({ kind: 'refused' } & FileProblems);
