import type { ReactNode } from 'react';
import type { RowProblem } from '../../api/payment-file/row-problem.ts';
import { formatCount } from '../elements/formats.ts';
import { type Column, compareText, Table } from '../elements/table.tsx';

interface Cause {
  column: string | null;
  problem: string;
  fix: string;
  lines: number[];
}

/** Problems by their cause: two hundred times the same is one thing to do. */
export function causesOf(problems: readonly RowProblem[]): Cause[] {
  const causes = new Map<string, Cause>();
  for (const { column, problem, fix, line, code } of problems) {
    const key = `${code}/${column ?? ''}`;
    const known = causes.get(key);
    if (known === undefined) causes.set(key, { column, problem, fix, lines: [line] });
    else known.lines.push(line);
  }
  return [...causes.values()].sort((one, other) => other.lines.length - one.lines.length);
}

const COLUMNS: readonly Column<Cause>[] = [
  {
    name: 'Problem',
    cell: ({ column, problem, fix }) => (
      <>
        <strong>
          {column === null ? '' : `${column}: `}
          {problem}
        </strong>
        <div className="muted">{fix}</div>
      </>
    ),
  },
  {
    name: 'Rows',
    align: 'right',
    compare: (one, other) => one.lines.length - other.lines.length,
    cell: ({ lines }) => formatCount(lines.length),
  },
  {
    name: 'Column',
    isWideOnly: true,
    compare: (one, other) => compareText(one.column, other.column),
    cell: ({ column }) => column ?? 'the whole row',
  },
  { name: 'Lines', cell: ({ lines }) => linesInWords(lines) },
];

const MOST_LINES = 6;

function linesInWords(lines: readonly number[]): string {
  if (lines.every((line) => line === 0)) return 'the whole file';
  const shown = lines.slice(0, MOST_LINES).join(', ');
  return lines.length > MOST_LINES ? `${shown} and ${lines.length - MOST_LINES} more` : shown;
}

export function ProblemList(props: { problems: readonly RowProblem[]; problemCount: number }): ReactNode {
  const { problems, problemCount } = props;
  return (
    <>
      <Table
        label="Problems by cause"
        rows={causesOf(problems)}
        columns={COLUMNS}
        keyOf={({ column, problem, lines }) => `${column ?? ''}/${problem}/${lines[0] ?? 0}`}
      />
      {problemCount > problems.length ? (
        <p className="muted small">The first {formatCount(problems.length)} of them.</p>
      ) : null}
    </>
  );
}
