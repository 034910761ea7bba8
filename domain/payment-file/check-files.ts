import type { RowUnderCheck } from './row-validation.ts';
import {
  fileNamesOf,
  fileRefusal,
  isDoubtfullyLarge,
  MAX_FILES_PER_ROW,
  type SupportingFile,
} from './supporting-file.ts';

/** The names in `supporting_files`, each checked against what was given with the run. */
export function checkFiles(check: RowUnderCheck, files: ReadonlyMap<string, SupportingFile>): string[] {
  const names = fileNamesOf(check.text('supporting_files'));
  if (check.isRefused('supporting_files')) return names;
  if (names.length > MAX_FILES_PER_ROW) {
    check.refuse('supporting_files', {
      code: 'too_many_files',
      problem: `the row names more than ${MAX_FILES_PER_ROW} supporting files`,
      fix: 'join them into fewer files',
    });
  }
  if (new Set(names).size < names.length) {
    check.refuse('supporting_files', {
      code: 'file_twice',
      problem: 'the row names a supporting file twice',
      fix: 'name each file once',
    });
  }
  for (const name of new Set(names)) {
    const refusal = fileRefusal(name, files.get(name));
    if (refusal !== null) check.refuse('supporting_files', refusal);
    else if (isDoubtfullyLarge(files.get(name))) {
      check.warn('supporting_files', {
        code: 'file_doubtfully_large',
        problem: 'a supporting file is so close to the limit that the provider may refuse it',
        fix: 'make it smaller than 10,000,000 bytes to be sure',
      });
    }
  }
  return names;
}
