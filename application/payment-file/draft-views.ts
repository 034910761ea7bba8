import type { Draft, DraftRows, DraftRowsQuery } from '../../api/payment-file/draft.ts';
import type { RowProblem } from '../../api/payment-file/row-problem.ts';
import type { DraftProblem, DraftRecord } from '../../store/payment-file/drafts.ts';
import { fieldsOf } from './draft-content.ts';

const MAX_GROUPS = 200;

export function draftOf({ found, ...draft }: DraftRecord, maxAgeMs: number): Draft {
  return {
    ...draft,
    fields: fieldsOf(draft),
    problemCount: found.problemCount,
    problemRows: new Set(found.problems.flatMap(({ row }) => row ?? [])).size,
    warningCount: found.warningCount,
    fileProblems: found.problems.filter(({ row }) => row === null).map(withoutRow),
    groups: groupsOf(found.problems),
    createdAt: draft.createdAt.toISOString(),
    changedAt: draft.changedAt.toISOString(),
    deletedAt: new Date(draft.changedAt.getTime() + maxAgeMs).toISOString(),
  };
}

/** The rows that are asked for, each with what is wrong with it. */
export function draftRowsOf(
  { revision, found }: DraftRecord,
  rows: readonly string[][],
  { from, limit, only, code, column }: DraftRowsQuery,
): DraftRows {
  const problems = byRow(found.problems);
  const warnings = byRow(found.warnings);
  const isWanted = (row: number): boolean => {
    const own = problems.get(row) ?? [];
    if (code !== null) return own.some((each) => each.code === code && (column === null || each.column === column));
    if (only === 'problems') return own.length > 0;
    return only === 'all' || (warnings.get(row) ?? []).length > 0;
  };
  const wanted = rows.map((cells, index) => ({ row: index + 1, cells })).filter(({ row }) => isWanted(row));
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

function withoutRow({ row: _row, ...problem }: DraftProblem): RowProblem {
  return problem;
}

/** By what is wrong and where, the most frequent first. */
function groupsOf(problems: readonly DraftProblem[]): Draft['groups'] {
  const groups = new Map<string, Draft['groups'][number]>();
  for (const { code, column, problem, fix, row } of problems) {
    const key = `${code} ${column ?? ''}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { code, column, problem, fix, count: 1, firstRow: row });
    else group.count += 1;
  }
  return [...groups.values()].sort((a, b) => b.count - a.count).slice(0, MAX_GROUPS);
}
