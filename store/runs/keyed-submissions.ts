import type { Queryable } from '../database/database.ts';

/** SHA-256, hex, of the submission with a key that made this run; null: there is none. */
export async function readKeyedSubmission(database: Queryable, runId: string): Promise<string | null> {
  const { rows } = await database.query<{ submission_sha256: string }>(
    'select submission_sha256 from keyed_submissions where run_id = $1',
    [runId],
  );
  return rows[0]?.submission_sha256 ?? null;
}

export async function addKeyedSubmission(
  transaction: Queryable,
  runId: string,
  submissionSha256: string,
): Promise<void> {
  await transaction.query('insert into keyed_submissions (run_id, submission_sha256) values ($1, $2)', [
    runId,
    submissionSha256,
  ]);
}
