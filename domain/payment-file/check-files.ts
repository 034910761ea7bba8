import type { RowValidation } from './row-validation.ts';
import {
  fileNamesOf,
  supportingFileError,
  isNearSizeLimit,
  MAX_FILES_PER_ROW,
  type SupportingFile,
} from './supporting-file.ts';

/** Checks each name in `supporting_files` against the files submitted with the run. */
export function checkFiles(row: RowValidation, files: ReadonlyMap<string, SupportingFile>): string[] {
  const names = fileNamesOf(row.text('supporting_files'));
  if (row.hasError('supporting_files')) return names;
  if (names.length > MAX_FILES_PER_ROW) {
    row.addError('supporting_files', {
      code: 'too_many_files',
      problem: `the row names more than ${MAX_FILES_PER_ROW} supporting files`,
      fix: 'join them into fewer files',
    });
  }
  if (new Set(names).size < names.length) {
    row.addError('supporting_files', {
      code: 'duplicate_file',
      problem: 'the row names a supporting file twice',
      fix: 'name each file once',
    });
  }
  for (const name of new Set(names)) {
    const error = supportingFileError(name, files.get(name));
    if (error !== null) row.addError('supporting_files', error);
    else if (isNearSizeLimit(files.get(name))) {
      row.addWarning('supporting_files', {
        code: 'file_near_size_limit',
        problem: 'a supporting file is so close to the limit that the provider may refuse it',
        fix: 'make it smaller than 10,000,000 bytes to be sure',
      });
    }
  }
  return names;
}
