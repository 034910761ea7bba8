import type { RawRow } from './raw-row.ts';
import type { RowUnderCheck } from './row-validation.ts';

/** Says whether a `row_ref` that is used on one line is used on another as well: that line, or null. */
export type ReferenceUse = (rowRef: string, line: number) => number | null;

/** Looks through the whole file once, before its rows are checked one by one. */
export function referenceUse(rows: readonly RawRow[]): ReferenceUse {
  const first = new Map<string, number>();
  const second = new Map<string, number>();
  for (const { line, cells } of rows) {
    const rowRef = cells.row_ref?.trim() ?? '';
    if (!first.has(rowRef)) first.set(rowRef, line);
    else if (!second.has(rowRef)) second.set(rowRef, line);
  }
  return (rowRef, line) => {
    const other = second.get(rowRef);
    if (other === undefined) return null;
    const earliest = first.get(rowRef) ?? other;
    return earliest === line ? other : earliest;
  };
}

/**
 * A `row_ref` names one payment. Every row that shares one is refused, the first as well: which of them is meant is
 * for a person to say.
 */
export function checkReference(check: RowUnderCheck, elsewhere: ReferenceUse): void {
  const rowRef = check.text('row_ref');
  const line = rowRef === '' ? null : elsewhere(rowRef, check.row.line);
  if (line === null) return;
  check.refuse('row_ref', {
    code: 'row_ref_repeated',
    problem: `line ${line} has the same row_ref`,
    fix: 'give each row its own row_ref, or take the repeated row out',
  });
}
