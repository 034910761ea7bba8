import { v5 as uuidV5 } from 'uuid';
import type { FileProblems } from '../../api/payment-file/row-problem.ts';
import type { AcceptedSubmission } from '../../api/runs/submission.ts';
import type { Profile } from '../../domain/import-profiles/profile.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { contentSha256 } from '../../domain/sha256.ts';
import { type FileContent, sha256Of, type SubmittedFile } from '../payment-file/file-content.ts';

export interface Submission {
  /** Null: the only account that the user is limited to, or the first configured one for a user without a limit. */
  account: string | null;
  fileName: string;
  file: FileContent;
  /** How the file is read. Null: its headers are ours, or those of a known profile. */
  profile: Profile | null;
  files: SubmittedFile[];
  /** What becomes of a file with invalid rows: all of it is refused, or those rows are left out and listed. */
  onInvalid: 'reject' | 'skip';
  /** The run is checked, and nobody else decides on it until its maker sends it for approval. Absent: false. */
  checkOnly?: boolean;
  /** The same submission with the same key is the same run. Null: every submission is a new run. */
  idempotencyKey: string | null;
}

/** Lists of problems and warnings hold the first 1,000 in the order of the file; the counts are of all. */
export type SubmitOutcome = ({ kind: 'accepted' } & AcceptedSubmission) | ({ kind: 'refused' } & FileProblems);

/** Never change it: a repeated submission would become a new run. */
const SUBMISSION_NAMESPACE = 'a4d2c6b0-0f0e-5c37-8a5f-5d1f4c7e9b26';

/** The id of the run of a user's idempotency key. */
export function runIdOfKey(userId: string, key: string): string {
  return uuidV5(`${userId}/${key}`, SUBMISSION_NAMESPACE);
}

/** SHA-256, hex, of everything that was submitted: distinguishes a repetition from another submission. */
export async function submissionSha256(submission: Submission, account: string): Promise<string> {
  const { fileName, profile, onInvalid, checkOnly = false } = submission;
  const fileSha256 = await sha256Of(submission.file);
  const files: [name: string, sha256: string][] = [];
  for (const { name, bytes } of submission.files) files.push([name, await sha256Of(bytes)]);
  return contentSha256(
    Buffer.from(canonicalJson({ account, fileName, fileSha256, profile, onInvalid, checkOnly, files })),
  );
}
