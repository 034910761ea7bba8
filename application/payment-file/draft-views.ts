import type { Draft, DraftList, DraftRows, DraftRowsQuery } from '../../api/payment-file/draft.ts';
import type { RowProblem } from '../../api/payment-file/row-problem.ts';
import { identifiesPayments, isPaymentColumn } from '../../domain/payment-file/csv-columns.ts';
import type { CellErrorCode } from '../../domain/payment-file/cell-problem-codes.ts';
import type { FileProblemCode } from '../../domain/payment-file/file-problem-codes.ts';
import { ROW_REF } from '../../domain/payment-file/payment-codes.ts';
import type { DraftProblem, DraftRecord, ListedDraft, NumberedRow } from '../../store/payment-file/drafts.ts';
import { fieldsOf, isFilledByOne, isPlaced } from './draft-content.ts';

const MAX_GROUPS = 200;

export function draftOf({ found, ...draft }: DraftRecord, maxAgeMs: number): Draft {
  return {
    ...draft,
    fields: fieldsOf(draft),
    problemCount: found.problemCount,
    problemRows: new Set(found.problems.flatMap(({ row }) => row ?? [])).size,
    warningCount: found.warningCount,
    fileProblems: found.problems.filter(({ row }) => row === null).map(withoutRow),
    leftOut: found.leftOut,
    groups: groupsOf(found.problems, draft),
    createdAt: draft.createdAt.toISOString(),
    ...datesOf(draft, maxAgeMs),
  };
}

export function listedDraftOf(draft: ListedDraft, maxAgeMs: number): DraftList['drafts'][number] {
  return { ...draft, ...datesOf(draft, maxAgeMs) };
}

function datesOf({ changedAt }: Pick<DraftRecord, 'changedAt'>, maxAgeMs: number) {
  return {
    changedAt: changedAt.toISOString(),
    deletedAt: new Date(changedAt.getTime() + maxAgeMs).toISOString(),
  };
}

/** Those of the rows that are asked for, each with what is wrong with it. */
export function draftRowsOf(
  { revision, found }: DraftRecord,
  rows: readonly NumberedRow[],
  { from, limit, only, code, column }: DraftRowsQuery,
): DraftRows {
  const problems = byRow(found.problems);
  const warnings = byRow(found.warnings);
  const isWanted = (row: number): boolean => {
    const own = problems.get(row) ?? [];
    if (code !== null) return own.some((each) => each.code === code && (column === null || each.column === column));
    if (only === 'problems') return own.length > 0;
    return only !== 'warnings' || (warnings.get(row) ?? []).length > 0;
  };
  const wanted = rows.filter(({ row }) => isWanted(row));
  return {
    revision,
    total: wanted.length,
    rows: wanted.slice(from, from + limit).map(({ row, cells }) => ({
      row,
      cells,
      problems: (problems.get(row) ?? []).map(withoutRow),
      warnings: (warnings.get(row) ?? []).map(withoutRow),
    })),
  };
}

function byRow(problems: readonly DraftProblem[]): Map<number, DraftProblem[]> {
  const rows = new Map<number, DraftProblem[]>();
  for (const problem of problems) {
    if (problem.row === null) continue;
    const others = rows.get(problem.row);
    if (others === undefined) rows.set(problem.row, [problem]);
    else others.push(problem);
  }
  return rows;
}

function withoutRow({ line, rowRef, column, header = null, value, problem, fix, code }: DraftProblem): RowProblem {
  return { line, rowRef, column, header, value, problem, fix, code };
}

/** By what is wrong and where, the most frequent first. */
function groupsOf(
  problems: readonly DraftProblem[],
  draft: Pick<DraftRecord, 'rowCount' | 'profile'>,
): Draft['groups'] {
  const groups = new Map<string, DraftProblem[]>();
  for (const problem of problems) {
    const key = `${problem.code} ${problem.column ?? ''}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [problem]);
    else group.push(problem);
  }
  const rowsOfRef = rowsOfRepeatedRefs(problems);
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_GROUPS)
    .map((group) => groupOf(group, rowsOfRef, draft));
}

function groupOf(
  group: readonly DraftProblem[],
  rowsOfRef: ReadonlyMap<string, number[]>,
  draft: Pick<DraftRecord, 'rowCount' | 'profile'>,
): Draft['groups'][number] {
  const [first] = group as [DraftProblem];
  const { code, column, header = null, problem, fix, row } = first;
  const rows = new Set(group.flatMap((each) => each.row ?? []));
  const refs = REPEATED.has(code) ? new Set(group.map(({ rowRef }) => rowRef ?? '')) : [];
  const sameRowRef = [...refs].flatMap((rowRef) => [rowsOfRef.get(rowRef) ?? []]).filter(({ length }) => length > 1);
  return {
    ...{ code, column, header, problem, fix },
    count: group.length,
    firstRow: row,
    fillRows: NO_VALUE_FITS.has(code) ? 0 : fillRowsOf(first, rows.size, draft),
    sameRowRef,
    leaveOut: NO_VALUE_FITS.has(code) ? [...rows] : sameRowRef.flatMap(([, ...later]) => later),
  };
}

const REPEATED: ReadonlySet<string> = new Set<CellErrorCode>(['row_repeated', 'row_ref_repeated']);

/** What is not paid out, as a credit note: a value that makes a payment of it would be made up. */
const NO_VALUE_FITS: ReadonlySet<string> = new Set<CellErrorCode>(['amount_signed', 'amount_zero']);

/** Those whose whole text is known: of a longer one only its beginning is. */
function rowsOfRepeatedRefs(problems: readonly DraftProblem[]): Map<string, number[]> {
  const rowsOf = new Map<string, number[]>();
  for (const { code, rowRef, row } of problems) {
    if (!REPEATED.has(code) || row === null || rowRef === null || !ROW_REF.test(rowRef)) continue;
    rowsOf.set(rowRef, [...(rowsOf.get(rowRef) ?? []), row]);
  }
  return rowsOf;
}

const MISSING_COLUMN: FileProblemCode = 'missing_columns';

/**
 * A column that the file lacks is filled in all rows; one that is made of cells of other columns in none. What else is wrong with the
 * whole file, no value corrects.
 */
function fillRowsOf(
  { column, code }: Pick<DraftProblem, 'column' | 'code'>,
  rows: number,
  { rowCount, profile }: Pick<DraftRecord, 'rowCount' | 'profile'>,
): number {
  if (column === null || !isPaymentColumn(column)) return 0;
  if (rows === 0 && code !== MISSING_COLUMN) return 0;
  if (isPlaced(profile, column) && !isFilledByOne(profile, column)) return 0;
  const count = rows === 0 ? rowCount : rows;
  return count > 1 && identifiesPayments(column) ? 0 : count;
}
