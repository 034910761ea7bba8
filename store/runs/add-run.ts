import type { RowBatch } from '../../domain/runs/new-row.ts';
import { callAsUser, Refused } from '../database/call-as-user.ts';
import { type Database, inTransaction, type Queryable } from '../database/database.ts';
import { deleteSubmittedDraft, type SubmittedDraft } from '../payment-file/drafts.ts';
import type { TokenHash } from '../users/token-hash.ts';
import type { RunKey } from '../personal-data/payee-data.ts';
import { INSERT_ROWS } from './row-content.ts';
import type { Profile } from '../../domain/import-profiles/profile.ts';
import { addRunProfile } from './run-profiles.ts';
import { addFile, type NewFile } from './supporting-files.ts';
import { addRunWarnings, type RunWarnings } from './run-warnings.ts';
import type { FileHeader } from './runs.ts';

interface NewRun {
  /** Of the run that it is. */
  key: RunKey;
  account: string;
  fileName: string;
  fileSha256: string;
  header: FileHeader;
  /** How long people may take to decide on it, from when they may. */
  decideWithinMs: number;
  /** Nobody else decides on it until its maker sends it for approval. Absent: false. */
  checkOnly?: boolean;
  rowCount: number;
  /** Taken one by one. */
  rows: Iterable<RowBatch> | AsyncIterable<RowBatch>;
  /** How the file was read. Null or absent: its columns were ours. */
  profile?: Profile | null;
  /** Of everything that was submitted, where it came with a key. */
  submissionSha256: string | null;
  /** The draft that it was, which is deleted with it; absent: it was none. */
  draft?: SubmittedDraft | null;
  /** Asked once all rows were taken. Null: the file is refused after all, and nothing of it is stored. */
  end: () => RunEnd | null;
}

/** What is known of a run once its last row is. */
interface RunEnd {
  /** What the check of the file warned of. Absent: it was not asked. */
  warnings?: RunWarnings;
  /** Taken one by one. */
  files: Iterable<NewFile> | AsyncIterable<NewFile>;
}

/** `there_before`: the submission with its key is stored already, and its rows were not taken. */
type Added = 'added' | 'there_before' | 'refused_file';

/**
 * Stores a run with all its rows and files in its maker's name, or nothing of it. Its rows are stored as they come: nobody sees them before
 * the last one is there. A draft becomes one run at most, and as it was seen: another revision of it is refused.
 * @throws Refused
 */
export async function addRun(database: Database, maker: TokenHash, run: NewRun): Promise<Added> {
  const outcome = await inTransaction(database, async (transaction) => {
    if (run.submissionSha256 !== null && (await isThere(transaction, run.key.runId))) return 'there_before';
    // The database records what it refuses: that must not be rolled back.
    const refusal = await addRunAs(transaction, maker, run).catch(asRefused);
    if (refusal instanceof Refused) return refusal;
    if (run.submissionSha256 !== null) await addKeyedSubmission(transaction, run.key.runId, run.submissionSha256);
    for await (const batch of run.rows) await addRows(transaction, run, batch);
    const end = run.end();
    // guard: refused-file-rolled-back
    if (end === null) throw new RefusedFile();
    if (end.warnings !== undefined) await addRunWarnings(transaction, run.key, end.warnings);
    if (run.profile !== undefined && run.profile !== null) await addRunProfile(transaction, run.key, run.profile);
    for await (const file of end.files) await addFile(transaction, run.key, file);
    await transaction.query('select analyze_payments($1)', [run.rowCount]);
    const draft = run.draft ?? null;
    if (draft !== null && !(await deleteSubmittedDraft(transaction, draft))) {
      throw new Refused('conflict', 'the draft was changed meanwhile: look at it again');
    }
    return 'added';
  }).catch(asRefusedFile);
  if (outcome instanceof Refused) throw outcome;
  return outcome;
}

/** Ends the transaction without what it has stored. */
class RefusedFile extends Error {}

function asRefusedFile(error: unknown): 'refused_file' {
  if (error instanceof RefusedFile) return 'refused_file';
  throw error;
}

function asRefused(error: unknown): Refused {
  if (error instanceof Refused) return error;
  throw error;
}

/** If two submissions with the same key come at the same time, the second waits for the first. */
async function isThere(transaction: Queryable, runId: string): Promise<boolean> {
  await transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [runId]);
  const { rows } = await transaction.query('select from runs where run_id = $1', [runId]);
  return rows.length > 0;
}

async function addRows(transaction: Queryable, run: NewRun, { json }: RowBatch): Promise<void> {
  await transaction.query(INSERT_ROWS, [run.key.runId, run.account, json]);
}

/** Adds a run in its maker's name, without its rows and files. */
export async function addRunAs(
  transaction: Queryable,
  tokenHash: TokenHash,
  run: Pick<
    NewRun,
    'key' | 'account' | 'fileName' | 'fileSha256' | 'header' | 'decideWithinMs' | 'rowCount' | 'checkOnly'
  >,
): Promise<void> {
  await callAsUser(
    transaction,
    `add_run($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::float8 * interval '1 millisecond', $11)`,
    [
      tokenHash.bytes,
      run.key.runId,
      run.account,
      run.fileName,
      run.fileSha256,
      JSON.stringify(run.header),
      run.rowCount,
      run.key.stored.wrapped,
      run.key.stored.wrappedBy,
      run.decideWithinMs,
      run.checkOnly ?? false,
    ],
  );
}

export async function noteRefusedFileAs(
  database: Queryable,
  tokenHash: TokenHash,
  file: { fileSha256: string | null; problems: unknown },
): Promise<void> {
  await callAsUser(database, 'note_refused_file($1, $2, $3)', [
    tokenHash.bytes,
    file.fileSha256,
    JSON.stringify(file.problems),
  ]);
}

/** SHA-256, hex, of the submission with a key that made this run; null: there is none. */
export async function readKeyedSubmission(database: Queryable, runId: string): Promise<string | null> {
  const { rows } = await database.query<{ submission_sha256: string }>(
    'select submission_sha256 from keyed_submissions where run_id = $1',
    [runId],
  );
  return rows[0]?.submission_sha256 ?? null;
}

async function addKeyedSubmission(transaction: Queryable, runId: string, submissionSha256: string): Promise<void> {
  await transaction.query('insert into keyed_submissions (run_id, submission_sha256) values ($1, $2)', [
    runId,
    submissionSha256,
  ]);
}
