import type { RowRefs } from './row-refs.ts';
import type { RowValidation } from './row-validation.ts';

/** Rows that share a `row_ref` all get an error, the first one as well: only a person can say which one is right. */
export function checkRowRefIsUnique(row: RowValidation, rowRefs: RowRefs): void {
  const rowRef = row.text('row_ref');
  const line = rowRef === '' ? null : rowRefs.otherLine(rowRef, row.line);
  if (line === null) return;
  row.addError('row_ref', {
    code: 'row_ref_repeated',
    problem: `line ${line} has the same row_ref`,
    fix: 'give each row its own row_ref, or take the repeated row out',
  });
}
