import { randomUUID } from 'node:crypto';
import {
  type Draft,
  type DraftChange,
  type DraftList,
  DRAFT_ROW_LIMIT,
  type DraftRows,
  type DraftRowsQuery,
  type DraftSubmission,
} from '../../api/payment-file/draft.ts';
import * as stored from '../../store/payment-file/drafts.ts';
import type { Submission, SubmitOutcome } from '../runs/submission.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError, orNotFound } from '../application-error.ts';
import { payeesOf } from '../data-keys.ts';
import { accountOf } from '../runs/account-of-submission.ts';
import { submitRun, submittedBefore } from '../runs/submit-run.ts';
import { mayUse, type SignedIn } from '../users/signed-in.ts';
import { checkDraft } from './check-draft.ts';
import { readTableInThread } from './check-in-thread.ts';
import { changedContent, type DraftContent, draftFile, notesOfChanges } from './draft-content.ts';
import { contentsOf, type FileChange, kindsAfter, kindsOf, MAX_DRAFT_FILES_BYTES } from './draft-files.ts';
import { draftOf, draftRowsOf, listedDraftOf } from './draft-views.ts';
import { bytesOf, sizeOf, type SubmittedFile } from './file-content.ts';
import { knownProfiles } from './known-profiles.ts';
import { SHEET_LIMITS } from '../sheets/sheet.ts';
import type { Profile } from '../../domain/import-profiles/profile.ts';
import type { RowProblem } from '../../domain/payment-file/row-problem.ts';

/** A supporting file for a draft, and the revision that was seen. */
export interface NewDraftFile {
  revision: number;
  file: SubmittedFile;
}

const MAX_FILE_BYTES = 20 * 1024 * 1024;
const MAX_DRAFTS = 100;
const DEFAULT_MAX_AGE_MS = 7 * 86_400_000;

export async function addDraft(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  file: Omit<Submission, 'onInvalid' | 'checkOnly' | 'idempotencyKey'>,
): Promise<Draft> {
  const { database } = dependencies;
  const payees = await payeesOf(dependencies);
  const account = await accountOf(dependencies, user, file.account);
  if ((await stored.countDrafts(database, user.userId)) >= MAX_DRAFTS) {
    throw new ApplicationError('conflict', `you have ${MAX_DRAFTS} drafts: delete those that you do not need`);
  }
  const content = await tableOf(file, await knownProfiles(dependencies, account, file.profile));
  const found = await checkDraft(dependencies, account, content, await kindsOf(file.files));
  const draftId = randomUUID();
  const { fileName } = file;
  const contents = contentsOf(file.files);
  await stored.addDraft(database, payees, {
    draftId,
    makerId: user.userId,
    account,
    fileName,
    ...content,
    found,
    files: contents,
  });
  return shownDraft(dependencies, user, draftId);
}

export async function listDrafts(dependencies: ApplicationDependencies, user: SignedIn): Promise<DraftList> {
  const drafts = await visibleDrafts(dependencies, user);
  return { drafts: drafts.map((draft) => listedDraftOf(draft, maxAgeMs(dependencies))) };
}

/** Also those that cannot be read. */
async function visibleDrafts(dependencies: ApplicationDependencies, user: SignedIn): Promise<stored.ListedDraft[]> {
  const payees = await payeesOf(dependencies);
  const drafts = await stored.listDrafts(dependencies.database, payees, user.userId, MAX_DRAFTS);
  return drafts.filter(({ account }) => mayUse(user, account));
}

export async function findDraft(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  draftId: string,
): Promise<Draft | null> {
  const draft = await visibleDraft(dependencies, user, draftId);
  return draft === null ? null : draftOf(draft, maxAgeMs(dependencies));
}

export async function listDraftRows(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  draftId: string,
  query: DraftRowsQuery,
): Promise<DraftRows | null> {
  const draft = await visibleDraft(dependencies, user, draftId);
  if (draft === null) return null;
  const { rows, removed } = await contentOf(dependencies, draft);
  return draftRowsOf(draft, query.only === 'removed' ? removed : rows, query);
}

export async function changeDraft(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  draftId: string,
  change: DraftChange,
): Promise<Draft> {
  const draft = await ownDraft(dependencies, user, draftId, change.revision);
  const content = changedContent(await contentOf(dependencies, draft), draft.found, change);
  return storeChanged(dependencies, user, draft, content, { removed: change.removeFiles, added: null });
}

export async function addDraftFile(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  draftId: string,
  { revision, file }: NewDraftFile,
): Promise<Draft> {
  const draft = await ownDraft(dependencies, user, draftId, revision);
  const content = await contentOf(dependencies, draft);
  return storeChanged(dependencies, user, draft, content, { removed: [], added: file });
}

async function contentOf(dependencies: ApplicationDependencies, draft: stored.DraftRecord): Promise<DraftContent> {
  const { draftId, columns, profile } = draft;
  const rows = await stored.readDraftRows(dependencies.database, await payeesOf(dependencies), draftId);
  return { columns, profile, ...rows };
}

/** Checks the content and stores it as the next revision. @throws ApplicationError `conflict` after another change */
async function storeChanged(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  { draftId, account, revision, notes }: stored.DraftRecord,
  content: DraftContent,
  files: FileChange,
): Promise<Draft> {
  refuseTooLarge(content);
  const kinds = await kindsAfter(dependencies, draftId, files);
  const found = await checkDraft(dependencies, account, content, kinds);
  const { added, removed: removedFiles } = files;
  const addedFile = added === null ? null : { name: added.name, content: await bytesOf(added.bytes) };
  const seen = { draftId, makerId: user.userId, revision };
  const after = { ...content, notes, found, removedFiles, addedFile };
  const payees = await payeesOf(dependencies);
  if (!(await stored.changeDraft(dependencies.database, payees, seen, after))) throw changedMeanwhile();
  return shownDraft(dependencies, user, draftId);
}

/**
 * What is left out is what was seen: if other rows have problems by now, the draft says so as its next revision. @throws
 * ApplicationError `conflict` then, or `invalid_input` where rows cannot be left out
 */
async function requireSameProblems(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  draft: stored.DraftRecord,
): Promise<void> {
  if (draft.found.leftOut === null && draft.found.problemCount > 0) {
    throw new ApplicationError('invalid_input', 'there are no rows with problems that could be left out');
  }
  const content = await contentOf(dependencies, draft);
  const unchanged = { removed: [], added: null };
  const kinds = await kindsAfter(dependencies, draft.draftId, unchanged);
  const now = await checkDraft(dependencies, draft.account, content, kinds);
  const [before, after] = [rowsWithProblems(draft.found), rowsWithProblems(now)];
  const canBeLeftOut = now.leftOut !== null || now.problemCount === 0;
  if (canBeLeftOut && before.size === after.size && [...after].every((row) => before.has(row))) return;
  await storeChanged(dependencies, user, draft, content, unchanged);
  throw new ApplicationError('conflict', 'other rows have problems now: look at them again');
}

function rowsWithProblems({ problems }: stored.DraftFindings): Set<number | null> {
  return new Set(problems.map(({ row }) => row));
}

/** The one way in for payments is `submitRun`: what it stores, a draft never was. One draft is one run at most. */
export async function submitDraft(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  draftId: string,
  { revision, onInvalid, checkOnly }: DraftSubmission,
): Promise<SubmitOutcome> {
  const idempotencyKey = `draft-${draftId}-${revision}`;
  const found = await visibleDraft(dependencies, user, draftId);
  // Submitted again after a lost answer, it is the same run.
  const accepted = found === null ? await submittedBefore(dependencies, user, idempotencyKey) : null;
  if (accepted !== null) return accepted;
  const draft = asSeen(found, revision);
  if (onInvalid === 'skip') await requireSameProblems(dependencies, user, draft);
  const content = await contentOf(dependencies, draft);
  const { file, profile, rowNumbers } = draftFile(content);
  const files = await stored.readDraftFileContents(dependencies.database, await payeesOf(dependencies), draftId);
  const submission = {
    account: draft.account,
    fileName: draft.fileName,
    file,
    profile,
    files,
    onInvalid,
    checkOnly,
    idempotencyKey,
  };
  return submitRun(dependencies, user, submission, {
    draftId,
    makerId: user.userId,
    revision,
    notes: [...draft.notes, ...notesOfChanges(content)],
    profile: draft.profile,
    rowNumbers,
  });
}

export async function deleteDraft(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  draftId: string,
): Promise<void> {
  const visible = await visibleDrafts(dependencies, user);
  if (!visible.some((draft) => draft.draftId === draftId)) throw noSuchDraft();
  const { database } = dependencies;
  if (!(await stored.deleteDraft(database, user.userId, draftId))) throw noSuchDraft();
}

/** Deletes what nobody has changed for too long. Returns how many. */
export async function deleteOldDrafts(dependencies: ApplicationDependencies): Promise<number> {
  return stored.deleteOldDrafts(dependencies.database, new Date(dependencies.now() - maxAgeMs(dependencies)));
}

function maxAgeMs({ settings }: ApplicationDependencies): number {
  return settings.draftMaxAgeMs ?? DEFAULT_MAX_AGE_MS;
}

async function shownDraft(dependencies: ApplicationDependencies, user: SignedIn, draftId: string): Promise<Draft> {
  return orNotFound(await findDraft(dependencies, user, draftId), 'there is no such draft');
}

/** The user's own, of an account that they may still use: it is checked by what the provider says to that account. */
async function visibleDraft(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  draftId: string,
): Promise<stored.DraftRecord | null> {
  const draft = await stored.findDraft(dependencies.database, await payeesOf(dependencies), user.userId, draftId);
  return draft !== null && mayUse(user, draft.account) ? draft : null;
}

/** The draft as it was seen. @throws ApplicationError `not_found`, or `conflict` after another change */
async function ownDraft(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  draftId: string,
  revision: number,
): Promise<stored.DraftRecord> {
  return asSeen(await visibleDraft(dependencies, user, draftId), revision);
}

function asSeen(draft: stored.DraftRecord | null, revision: number): stored.DraftRecord {
  if (draft === null) throw noSuchDraft();
  if (draft.revision !== revision) throw changedMeanwhile();
  return draft;
}

function noSuchDraft(): ApplicationError {
  return new ApplicationError('not_found', 'there is no such draft');
}

function changedMeanwhile(): ApplicationError {
  return new ApplicationError('conflict', 'the draft was changed meanwhile: look at it again');
}

const DRAFT_LIMITS = { ...SHEET_LIMITS, bytes: MAX_FILE_BYTES, charactersInAll: MAX_FILE_BYTES, rows: DRAFT_ROW_LIMIT };

/** The file as a table. @throws ApplicationError `invalid_input` for a file that is not a table, or is too large for a draft */
async function tableOf(
  { file, profile, files }: Omit<Submission, 'onInvalid' | 'checkOnly' | 'idempotencyKey'>,
  known: readonly Profile[],
): Promise<DraftContent & { notes: RowProblem[] }> {
  const filesBytes = files.reduce((sum, { bytes }) => sum + sizeOf(bytes), 0);
  if (sizeOf(file) > MAX_FILE_BYTES || filesBytes > MAX_DRAFT_FILES_BYTES) {
    throw new ApplicationError('invalid_input', 'the file, or what comes with it, is too large to be corrected here');
  }
  const read = await readTableInThread({ file, profile, known, rowNumbers: null, limits: DRAFT_LIMITS });
  if (!('fileProblem' in read)) return { ...read, corrected: [] };
  const { line, problem, fix } = read.fileProblem;
  throw new ApplicationError('invalid_input', `line ${line}: ${problem}; ${fix}`);
}

/** What is filled into many rows can grow far beyond what was sent. @throws ApplicationError `invalid_input` */
function refuseTooLarge({ columns, rows, removed }: DraftContent): void {
  if (columns.length > SHEET_LIMITS.columns) {
    throw new ApplicationError('invalid_input', `a file has at most ${SHEET_LIMITS.columns} columns`);
  }
  let characters = 0;
  for (const { cells } of [...rows, ...removed]) for (const cell of cells) characters += cell.length;
  if (characters > MAX_FILE_BYTES) {
    throw new ApplicationError('invalid_input', 'with this change the file would be too large to be corrected here');
  }
}
