import { FILE_COUNT_LIMIT } from '../../api/runs/submission.ts';
import type { SupportingFile } from '../../domain/payment-file/supporting-file.ts';
import { FILE_KIND_BYTES, fileKindOf } from '../../domain/payment-file/supporting-file-kind.ts';
import * as stored from '../../store/payment-file/drafts.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { bytesOf, firstBytesOf, sizeOf, type SubmittedFile } from './file-content.ts';

/** All supporting files of a draft: they are in memory together when it is submitted. */
export const MAX_DRAFT_FILES_BYTES = 100 * 1024 * 1024;

/** What becomes of the supporting files of a draft. */
export interface FileChange {
  removed: readonly string[];
  added: SubmittedFile | null;
}

/** What the check of rows needs of the files, by name. */
export async function kindsOf(files: readonly SubmittedFile[]): Promise<Map<string, SupportingFile>> {
  const kinds = new Map<string, SupportingFile>();
  for (const { name, bytes } of files) {
    kinds.set(name, { sizeBytes: sizeOf(bytes), kind: fileKindOf(await firstBytesOf(bytes, FILE_KIND_BYTES)) });
  }
  return kinds;
}

/**
 * The files of a draft after a change, for the check of its rows. @throws ApplicationError `invalid_input` for a file that is not
 * there, or there already, and when they become too many or too large
 */
export async function kindsAfter(
  { database }: ApplicationDependencies,
  draftId: string,
  { removed, added }: FileChange,
): Promise<Map<string, SupportingFile>> {
  const kinds = new Map<string, SupportingFile>();
  for (const { name, ...file } of await stored.readDraftFiles(database, draftId)) kinds.set(name, file);
  for (const name of removed) if (!kinds.delete(name)) throw wrong(`the draft has no file "${name}"`);
  if (added === null) return kinds;
  if (kinds.has(added.name)) throw wrong(`the draft has a file "${added.name}" already: remove that one first`);
  if (kinds.size >= FILE_COUNT_LIMIT) throw wrong(`a draft has at most ${FILE_COUNT_LIMIT} files`);
  for (const [name, file] of await kindsOf([added])) kinds.set(name, file);
  const bytes = [...kinds.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (bytes > MAX_DRAFT_FILES_BYTES) {
    throw wrong(`the files of a draft have at most ${MAX_DRAFT_FILES_BYTES} bytes together`);
  }
  return kinds;
}

export async function* contentsOf(
  files: readonly SubmittedFile[],
): AsyncGenerator<{ name: string; content: Uint8Array }> {
  for (const { name, bytes } of files) yield { name, content: await bytesOf(bytes) };
}

function wrong(message: string): ApplicationError {
  return new ApplicationError('invalid_input', message);
}
