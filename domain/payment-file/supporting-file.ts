import { shownValue } from './row-problem.ts';
import type { CellIssue } from './row-validation.ts';
import { type FileKind, SUPPORTED_KINDS } from './supporting-file-kind.ts';

/** The provider's limit of 10 Mb, taken as 10 MiB. Contract: payments 2.6. */
export const MAX_FILE_BYTES = 10_485_760;

/** If the provider counts in powers of ten, it refuses a larger file: worth a warning. */
const WARN_FILE_BYTES = 10_000_000;

export const MAX_FILES_PER_ROW = 20;

/** A file submitted with the run. */
export interface SupportingFile {
  sizeBytes: number;
  /** By its first bytes. */
  kind: FileKind;
}

/** The kind that a file should have by its extension, or null when the provider does not accept such files. */
function kindByName(fileName: string): (typeof SUPPORTED_KINDS)[number] | null {
  const extension = /\.([^.]*)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return SUPPORTED_KINDS.find(({ extensions }) => (extensions as readonly string[]).includes(extension)) ?? null;
}

/** The names in a `supporting_files` cell. */
export function fileNamesOf(cell: string): string[] {
  return cell
    .split(';')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Why a file cannot be sent with a payment, or null. `file` is undefined when it was not submitted with the run. */
export function supportingFileError(name: string, file: SupportingFile | undefined): CellIssue | null {
  if (/[/\\]/.test(name) || name === '..' || name === '.') {
    return {
      code: 'file_name',
      problem: 'a supporting file is named with a folder',
      fix: 'give the name of the file alone',
    };
  }
  const expected = kindByName(name);
  if (expected === null) {
    return {
      code: 'file_type',
      problem: 'a supporting file is neither pdf, png nor jpeg by its name',
      fix: 'convert the file, or give the name with its ending',
    };
  }
  if (file === undefined) {
    return {
      code: 'file_missing',
      problem: 'a supporting file was not given with the run',
      fix: 'submit the file with the run, under exactly this name',
    };
  }
  if (file.sizeBytes === 0) {
    return { code: 'file_empty', problem: 'a supporting file is empty', fix: 'submit the file again' };
  }
  if (file.sizeBytes > MAX_FILE_BYTES) {
    return {
      code: 'file_too_large',
      problem: `a supporting file is larger than ${MAX_FILE_BYTES} bytes`,
      fix: 'make it smaller, for example by scanning it at a lower resolution',
    };
  }
  return file.kind.contentType === expected.contentType ? null : wrongContent(name, file.kind, expected.description);
}

export function isNearSizeLimit(file: SupportingFile | undefined): boolean {
  return file !== undefined && file.sizeBytes > WARN_FILE_BYTES;
}

/** The only issue that names the file: a row may have twenty files, and the person must know which one to open. */
function wrongContent(name: string, found: FileKind, expected: string): CellIssue {
  const accepted = SUPPORTED_KINDS.find(({ contentType }) => contentType === found.contentType);
  return {
    code: 'file_content',
    problem: `the supporting file "${shownValue(name)}" is ${found.description}, not ${expected} as its name says`,
    fix:
      accepted === undefined
        ? 'convert it to PDF, PNG or JPEG, and submit that file'
        : `end its name in .${accepted.extensions[0]}, here and in the folder, or submit the file that was meant`,
  };
}
