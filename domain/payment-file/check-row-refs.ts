import type { SameRowRef } from './row-refs.ts';
import type { RowValidation } from './row-validation.ts';

/** Rows that share a `row_ref` all get an error, the first one as well: only a person can say which one is right. */
export function checkRowRefIsUnique(row: RowValidation, other: SameRowRef | null): void {
  if (other === null) return;
  const { line, isSamePayment } = other;
  row.addError(
    'row_ref',
    isSamePayment
      ? {
          code: 'row_repeated',
          problem: `line ${line} is the same invoice: the same row_ref, beneficiary, account and amount`,
          fix: 'leave one of them out; if both are to be paid, give each its own row_ref',
        }
      : {
          code: 'row_ref_repeated',
          problem: `line ${line} has the same row_ref, and another beneficiary, account or amount`,
          fix: 'give each row its own row_ref, or leave one of them out',
        },
  );
}
