import { v5 as uuidV5 } from 'uuid';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { contentSha256 } from '../../domain/sha256.ts';
import type { Submission } from './submission.ts';
import { sha256Of } from '../payment-file/file-content.ts';

/** Never change it: a repeated submission would become a new run. */
const SUBMISSION_NAMESPACE = 'a4d2c6b0-0f0e-5c37-8a5f-5d1f4c7e9b26';

/** The id of the run of a user's idempotency key. */
export function runIdOfKey(userId: string, key: string): string {
  return uuidV5(`${userId}/${key}`, SUBMISSION_NAMESPACE);
}

/** SHA-256, hex, of everything that was submitted: distinguishes a repetition from another submission. */
export async function submissionSha256(submission: Submission, account: string): Promise<string> {
  const { fileName, defaults, mapping, onInvalid } = submission;
  const csvSha256 = await sha256Of(submission.csv);
  const files: [name: string, sha256: string][] = [];
  for (const { name, bytes } of submission.files) files.push([name, await sha256Of(bytes)]);
  return contentSha256(
    Buffer.from(canonicalJson({ account, fileName, csvSha256, defaults, mapping, onInvalid, files })),
  );
}
