import { randomUUID } from 'node:crypto';
import { readLocalDay } from '../../store/approvals/local-days.ts';
import { isOwnFormat } from '../../domain/import-profiles/profile-hash.ts';
import { type ProblemList, ProblemsByCode } from '../../domain/payment-file/row-problem.ts';
import type { SupportingFile } from '../../domain/payment-file/supporting-file.ts';
import { FILE_KIND_BYTES, fileKindOf } from '../../domain/payment-file/supporting-file-kind.ts';
import { deleteSubmittedDraft, type DraftRecord, type SubmittedDraft } from '../../store/payment-file/drafts.ts';
import { addRun, noteRefusedFileAs, readKeyedSubmission } from '../../store/runs/add-run.ts';
import type { NewFile } from '../../store/runs/supporting-files.ts';
import type { RowBatch } from '../../domain/runs/new-row.ts';
import type { RunKey } from '../../store/personal-data/payee-data.ts';
import type { CheckedFile, CheckTerms, FileFacts } from '../payment-file/check-payment-file.ts';
import { payeesOf } from '../data-keys.ts';
import { contentSha256 } from '../../domain/sha256.ts';
import type { FileToRead } from '../payment-file/open-payment-file.ts';
import { checkInThread, findingsOf, type RowsInThread } from '../payment-file/check-in-thread.ts';
import { runIdOfKey, type Submission, submissionSha256, type SubmitOutcome } from './submission.ts';
import { bytesOf, firstBytesOf, sizeOf, type SubmittedFile } from '../payment-file/file-content.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { knownProfiles } from '../payment-file/known-profiles.ts';
import { bookAndReference, type FileNeeds } from '../payment-file/terms-of-file.ts';
import { asApplicationError } from '../as-application-error.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { accountOf } from './account-of-submission.ts';
import { type StoredRun, startRun } from './start-run.ts';

/** The draft that a file was made of, which ends with it. */
type DraftOfFile = SubmittedDraft & Pick<FileToRead, 'rowNumbers'> & Pick<DraftRecord, 'notes' | 'profile'>;

/**
 * Checks a file by every rule, and stores its rows as they are checked. A refused file leaves only an audit entry; an accepted one is stored
 * as a whole, then its run is started. `draft`: null if the file was none.
 */
export async function submitRun(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  submission: Submission,
  draft: DraftOfFile | null = null,
): Promise<SubmitOutcome> {
  const { database } = dependencies;
  const account = await accountOf(dependencies, user, submission.account);
  const files = await supportingFilesOf(submission.files);
  const { file, profile, onInvalid, idempotencyKey } = submission;
  const runId = idempotencyKey === null ? randomUUID() : runIdOfKey(user.userId, idempotencyKey);
  const key = (await payeesOf(dependencies)).newRunKey(runId);
  const termsFor = async (needs: FileNeeds): Promise<CheckTerms> => ({
    runId,
    onInvalid,
    ...(await bookAndReference(dependencies, account, needs)),
    files,
    today: await readLocalDay(dependencies.database, account, dependencies.now()),
  });
  const known = await knownProfiles(dependencies, account, profile);
  const sha256 = idempotencyKey === null ? null : await submissionSha256(submission, account);
  const isRepeated = sha256 !== null && (await isAcceptedBefore(dependencies, runId, sha256));
  // Its run is there already: what is left of the draft would become another one.
  if (isRepeated && draft !== null) await deleteSubmittedDraft(database, draft);
  const store = (rows: RowsInThread, facts: FileFacts): Promise<CheckedFile> =>
    storeRun(dependencies, user, { submission, draft, key, account, sha256, files, rows, facts });
  const read = { file, profile, known, rowNumbers: draft?.rowNumbers ?? null };
  const take = isRepeated ? findingsOf : store;
  const checked = await checkInThread({ file: read, termsFor, key: isRepeated ? null : key, take });
  if (checked.kind === 'refused') {
    const { fileSha256, problems, codes } = checked;
    if (isRepeated) {
      // It was accepted before, whatever a check would find now.
      await startSoon(dependencies, { runId, account });
      return acceptedBefore(runId);
    }
    await asApplicationError(noteRefusedFileAs(database, user.tokenHash, { fileSha256, problems: codes }));
    return { kind: 'refused', problems: problems.listed, problemCount: problems.count };
  }
  const { skipped } = checked;
  const warnings = withNotes(checked.warnings, draft);
  await startSoon(dependencies, { runId, account });
  return {
    kind: 'accepted',
    runId,
    skipped: skipped.listed,
    skippedCount: skipped.count,
    warnings: warnings.listed,
    warningCount: warnings.count,
  };
}

interface RunToStore {
  submission: Submission;
  draft: DraftOfFile | null;
  key: RunKey;
  account: string;
  /** Of the submission, if it has a key. */
  sha256: string | null;
  files: ReadonlyMap<string, SupportingFile>;
  rows: RowsInThread;
  facts: FileFacts;
}

/** Stores the run while its rows are checked, or nothing of it, and says what was found in them. */
async function storeRun(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  { submission, draft, key, account, sha256, files, rows, facts: { profile, ...facts } }: RunToStore,
): Promise<CheckedFile> {
  const found: { end: CheckedFile | null } = { end: null };
  async function* whileChecked(): AsyncGenerator<RowBatch, void, undefined> {
    found.end = yield* rows;
  }
  // A draft is read as a CSV of its own: the next sheet is as the one that it came from.
  const readBy = draft?.profile ?? profile;
  const run = {
    ...{ key, account, fileName: submission.fileName, ...facts, rows: whileChecked(), draft },
    profile: isOwnFormat(readBy) ? null : readBy,
    submissionSha256: sha256,
    decideWithinMs: dependencies.settings.decisionWithinMs,
    checkOnly: submission.checkOnly ?? false,
    end: () => {
      if (found.end?.kind !== 'accepted') return null;
      const { warnings, filesNamed } = found.end;
      return {
        warnings: withNotes(warnings, draft),
        files: newFiles(submission.files, files, new Set(filesNamed)),
      };
    },
  };
  const added = await asApplicationError(addRun(dependencies.database, user.tokenHash, run));
  // A submission with the same key was stored meanwhile: throws unless it is the same one.
  if (added === 'there_before' && sha256 !== null) await isAcceptedBefore(dependencies, key.runId, sha256);
  return found.end ?? findingsOf(rows);
}

/** Notes of the file first, and rows that were left out last, as of a file that is no draft. */
function withNotes(warnings: ProblemList, draft: DraftOfFile | null): ProblemList {
  const all = new ProblemsByCode();
  const notes = draft?.notes ?? [];
  all.add(notes.filter(({ code }) => code !== 'row_left_out'));
  all.addList(warnings);
  all.add(notes.filter(({ code }) => code === 'row_left_out'));
  return all.list;
}

/** The run that the user's submission under this key has made; null: there is none. */
export async function submittedBefore(
  { database }: ApplicationDependencies,
  user: SignedIn,
  idempotencyKey: string,
): Promise<SubmitOutcome | null> {
  const runId = runIdOfKey(user.userId, idempotencyKey);
  return (await readKeyedSubmission(database, runId)) === null ? null : acceptedBefore(runId);
}

/** What the check had found is not known any more. */
function acceptedBefore(runId: string): SubmitOutcome {
  return { kind: 'accepted', runId, skipped: [], skippedCount: 0, warnings: [], warningCount: 0 };
}

/** Whether this submission was accepted before. @throws ApplicationError `conflict` when its key is that of another one */
async function isAcceptedBefore(
  { database }: ApplicationDependencies,
  runId: string,
  sha256: string,
): Promise<boolean> {
  const known = await readKeyedSubmission(database, runId);
  if (known !== null && known !== sha256) {
    throw new ApplicationError(
      'conflict',
      'something else was submitted under this Idempotency-Key: look at its run, and use a new key for anything else',
      // The id is made of the user and their key: it tells nobody else's run.
      { details: { runId } },
    );
  }
  return known !== null;
}

/** A stored run is started now or within a minute, so a failure here is not the user's concern. */
async function startSoon(dependencies: ApplicationDependencies, run: StoredRun): Promise<void> {
  await startRun(dependencies, run).catch(() => undefined);
}

/** What the check of rows needs of the supporting files, by name. */
async function supportingFilesOf(files: readonly SubmittedFile[]): Promise<Map<string, SupportingFile>> {
  const known = new Map<string, SupportingFile>();
  for (const { name, bytes } of files) {
    known.set(name, { sizeBytes: sizeOf(bytes), kind: fileKindOf(await firstBytesOf(bytes, FILE_KIND_BYTES)) });
  }
  return known;
}

/** The files that payable rows name, one by one: all together may not fit into memory. */
async function* newFiles(
  files: readonly SubmittedFile[],
  known: ReadonlyMap<string, SupportingFile>,
  named: ReadonlySet<string>,
): AsyncGenerator<NewFile, void, undefined> {
  for (const file of files) {
    const contentType = known.get(file.name)?.kind.contentType ?? null;
    if (contentType === null || !named.has(file.name)) continue;
    const bytes = await bytesOf(file.bytes);
    yield { name: file.name, contentType, bytes, sha256: contentSha256(bytes) };
  }
}
