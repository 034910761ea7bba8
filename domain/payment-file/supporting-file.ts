import { shownValue } from './row-problem.ts';
import type { Remark } from './row-validation.ts';
import { type FileKind, SUPPORTED_KINDS } from './supporting-file-kind.ts';

/** The provider's limit of 10 Mb, taken as 10 MiB. Contract: payments 2.6. */
export const MAX_FILE_BYTES = 10_485_760;

/** Were the provider to count in powers of ten, a file above this would be refused: worth a warning. */
const DOUBTFUL_FILE_BYTES = 10_000_000;

export const MAX_FILES_PER_ROW = 20;

/** A file that was given with the run. */
export interface SupportingFile {
  sizeBytes: number;
  /** By its first bytes. */
  kind: FileKind;
}

/** What a file should be by the ending of its name, or null when the provider takes no such files. */
function kindByName(fileName: string): (typeof SUPPORTED_KINDS)[number] | null {
  const ending = /\.([^.]*)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return SUPPORTED_KINDS.find(({ endings }) => (endings as readonly string[]).includes(ending)) ?? null;
}

/** The names in a `supporting_files` cell. */
export function fileNamesOf(cell: string): string[] {
  return cell
    .split(';')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Why a file cannot go with a payment, or null. `file` is undefined when no such file was given with the run. */
export function fileRefusal(name: string, file: SupportingFile | undefined): Remark | null {
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
  return file.kind.contentType === expected.contentType ? null : otherContent(name, file.kind, expected.what);
}

export function isDoubtfullyLarge(file: SupportingFile | undefined): boolean {
  return file !== undefined && file.sizeBytes > DOUBTFUL_FILE_BYTES;
}

/** The one remark that names a file: a row may name twenty, and only one of them may have to be opened. */
function otherContent(name: string, found: FileKind, expected: string): Remark {
  const itsOwn = SUPPORTED_KINDS.find(({ contentType }) => contentType === found.contentType);
  return {
    code: 'file_content',
    problem: `the supporting file "${shownValue(name)}" is ${found.what}, not ${expected} as its name says`,
    fix:
      itsOwn === undefined
        ? 'convert it to PDF, PNG or JPEG, and submit that file'
        : `end its name in .${itsOwn.endings[0]}, here and in the folder, or submit the file that was meant`,
  };
}
