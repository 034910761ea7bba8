import type { RawRow } from './raw-row.ts';
import type { RowValidation } from './row-validation.ts';

/** Another line that has the same `row_ref` as the given line, or null. */
type FindOtherLine = (rowRef: string, line: number) => number | null;

/** Reads the whole file once, before its rows are checked one by one. */
export function indexRowRefs(rows: readonly RawRow[]): FindOtherLine {
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

/** Rows that share a `row_ref` all get an error, the first one as well: only a person can say which one is right. */
export function checkRowRefIsUnique(row: RowValidation, findOtherLine: FindOtherLine): void {
  const rowRef = row.text('row_ref');
  const line = rowRef === '' ? null : findOtherLine(rowRef, row.line);
  if (line === null) return;
  row.addError('row_ref', {
    code: 'row_ref_repeated',
    problem: `line ${line} has the same row_ref`,
    fix: 'give each row its own row_ref, or take the repeated row out',
  });
}
