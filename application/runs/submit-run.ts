import { randomUUID } from 'node:crypto';
import { dayOf } from '../../domain/calendar-date.ts';
import { isOwnFormat } from '../../domain/import-profiles/profile-hash.ts';
import { addProblems } from '../../domain/payment-file/row-problem.ts';
import type { SupportingFile } from '../../domain/payment-file/supporting-file.ts';
import { FILE_KIND_BYTES, fileKindOf } from '../../domain/payment-file/supporting-file-kind.ts';
import { deleteSubmittedDraft, type DraftRecord, type SubmittedDraft } from '../../store/payment-file/drafts.ts';
import { addRun, noteRefusedFileAs, readKeyedSubmission } from '../../store/runs/add-run.ts';
import type { NewFile } from '../../store/runs/supporting-files.ts';
import type { CheckTerms } from '../payment-file/check-payment-file.ts';
import { payeesOf } from '../data-keys.ts';
import { contentSha256 } from '../../domain/sha256.ts';
import type { FileToRead } from '../payment-file/open-payment-file.ts';
import { checkInThread } from '../payment-file/check-in-thread.ts';
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

/**
 * Checks a file by every rule. A refused file leaves only an audit entry; an accepted one is stored as a whole, then its
 * run is started. `draft`: what the file was made of, which ends with it.
 */
export async function submitRun(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  submission: Submission,
  draft: (SubmittedDraft & Pick<FileToRead, 'rowNumbers'> & Pick<DraftRecord, 'notes' | 'profile'>) | null = null,
): Promise<SubmitOutcome> {
  const { database } = dependencies;
  const account = await accountOf(dependencies, user, submission.account);
  const files = await supportingFilesOf(submission.files);
  const { file, profile, onInvalid, idempotencyKey } = submission;
  const runId = idempotencyKey === null ? randomUUID() : runIdOfKey(user.userId, idempotencyKey);
  const key = (await payeesOf(dependencies)).newRunKey(runId);
  const terms = async (needs: FileNeeds): Promise<CheckTerms> => ({
    runId,
    onInvalid,
    ...(await bookAndReference(dependencies, account, needs)),
    files,
    today: dayOf(dependencies.now()),
  });
  const known = await knownProfiles(dependencies, account, profile);
  const checked = await checkInThread({ file, profile, known, rowNumbers: draft?.rowNumbers ?? null }, terms, key);
  const sha256 = idempotencyKey === null ? null : await submissionSha256(submission, account);
  const isRepeated = sha256 !== null && (await isAcceptedBefore(dependencies, runId, sha256));
  // Its run is there already: what is left of the draft would become another one.
  if (isRepeated && draft !== null) await deleteSubmittedDraft(database, draft);
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
  const { fileSha256, header, rows, filesNamed, skipped, warnings } = checked;
  addProblems(warnings, draft?.notes ?? []);
  // A draft is read as a CSV of its own: the next sheet is as the one that it came from.
  const readBy = draft?.profile ?? checked.profile;
  if (!isRepeated) {
    const run = {
      key,
      account,
      fileName: submission.fileName,
      fileSha256,
      header,
      rows,
      warnings,
      profile: isOwnFormat(readBy) ? null : readBy,
      submissionSha256: sha256,
      decideWithinMs: dependencies.settings.decisionWithinMs,
      files: newFiles(submission.files, files, new Set(filesNamed)),
      draft,
    };
    const isNew = await asApplicationError(addRun(database, user.tokenHash, run));
    // A submission with the same key was stored meanwhile: throws unless it is the same one.
    if (!isNew && sha256 !== null) await isAcceptedBefore(dependencies, runId, sha256);
  }
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
