import type { Remark } from './row-under-check.ts';

/** The provider's limit of 10 Mb, taken as 10 MiB. Contract: payments 2.6. */
export const MAX_FILE_BYTES = 10_485_760;

/** Were the provider to count in powers of ten, a file above this would be refused: worth a warning. */
const DOUBTFUL_FILE_BYTES = 10_000_000;

export const MAX_FILES_PER_ROW = 20;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
};

/** The MIME type by the ending of the name, or null when the provider takes no such files. */
export function contentTypeOf(fileName: string): string | null {
  const ending = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  return fileName.includes('.') ? (CONTENT_TYPES[ending] ?? null) : null;
}

/** The names in a `supporting_files` cell. */
export function fileNamesOf(cell: string): string[] {
  return cell
    .split(';')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Why a file cannot go with a payment, or null. `file` is undefined when no such file was given with the run. */
export function fileRefusal(name: string, file: { sizeBytes: number } | undefined): Remark | null {
  if (/[/\\]/.test(name) || name === '..' || name === '.') {
    return {
      code: 'file_name',
      problem: 'a supporting file is named with a folder',
      mend: 'give the name of the file alone',
    };
  }
  if (contentTypeOf(name) === null) {
    return {
      code: 'file_type',
      problem: 'a supporting file is neither pdf, png nor jpeg by its name',
      mend: 'convert the file, or give the name with its ending',
    };
  }
  if (file === undefined) {
    return {
      code: 'file_missing',
      problem: 'a supporting file was not given with the run',
      mend: 'submit the file with the run, under exactly this name',
    };
  }
  if (file.sizeBytes === 0) {
    return { code: 'file_empty', problem: 'a supporting file is empty', mend: 'submit the file again' };
  }
  if (file.sizeBytes > MAX_FILE_BYTES) {
    return {
      code: 'file_too_large',
      problem: `a supporting file is larger than ${MAX_FILE_BYTES} bytes`,
      mend: 'make it smaller, for example by scanning it at a lower resolution',
    };
  }
  return null;
}

export function isDoubtfullyLarge(file: { sizeBytes: number } | undefined): boolean {
  return file !== undefined && file.sizeBytes > DOUBTFUL_FILE_BYTES;
}
