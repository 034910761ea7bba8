import type { ReactNode } from 'react';
import type { RowProblem } from '../../api/payment-file/row-problem.ts';
import { causesOf, columnInWords, linesInWords, type ProblemCause } from '../../domain/payment-file/problem-causes.ts';
import { formatCount } from '../elements/formats.ts';
import { type Column, compareText, Table } from '../elements/table.tsx';

const COLUMNS: readonly Column<ProblemCause>[] = [
  {
    name: 'Problem',
    cell: ({ problem, fix, ...cause }) => (
      <>
        <strong>
          {cause.column === null ? '' : `${columnInWords(cause)}: `}
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
    compare: (one, other) => compareText(columnInWords(one), columnInWords(other)),
    cell: (cause) => columnInWords(cause) ?? 'the whole row',
  },
  { name: 'Lines', cell: ({ lines }) => linesOf(lines) },
];

function linesOf(lines: readonly number[]): string {
  return lines.every((line) => line === 0) ? 'the whole file' : linesInWords(lines);
}

export function ProblemList(props: { problems: readonly RowProblem[]; problemCount: number }): ReactNode {
  const { problems, problemCount } = props;
  return (
    <>
      <Table
        label="Problems by cause"
        rows={causesOf(problems).sort((one, other) => other.lines.length - one.lines.length)}
        columns={COLUMNS}
        keyOf={({ column, problem, lines }) => `${column ?? ''}/${problem}/${lines[0] ?? 0}`}
      />
      {problemCount > problems.length ? (
        <p className="muted small">The first {formatCount(problems.length)} of them.</p>
      ) : null}
    </>
  );
}
