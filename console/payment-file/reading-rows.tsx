import type { ReactNode } from 'react';
import type { Proposal } from './reading-profile.ts';

type Row = Proposal['rows'][number];

/** The first rows as the sheet has them, beside what they are read as. */
export function ReadingRows({ rows }: { rows: readonly Row[] }): ReactNode {
  return (
    <div className="stack">
      {rows.map((row) => (
        <article key={row.line} className="card" aria-label={`Line ${row.line}`}>
          <div className="columns">
            <Cells
              title={`Line ${row.line}, as your sheet has it`}
              cells={row.theirs
                .filter(({ cell }) => cell.trim() !== '')
                .map(({ header, cell }) => ({
                  name: header,
                  text: cell,
                  remark: row.ignored.some((other) => other.header === header) ? 'not read' : null,
                }))}
            />
            <Cells
              title="As payrun reads it"
              isOurs
              cells={row.ours.map(({ column, text, from, isChanged }) => ({
                name: column,
                text,
                remark:
                  from.length === 0
                    ? 'in every row'
                    : isChanged
                      ? `from ${from.map(({ cell }) => `“${cell}”`).join(' and ')}`
                      : null,
              }))}
            />
          </div>
          <Problems problems={row.problems} />
        </article>
      ))}
    </div>
  );
}

function Cells(props: {
  title: string;
  isOurs?: boolean;
  cells: readonly { name: string; text: string; remark: string | null }[];
}): ReactNode {
  const { title, isOurs = false, cells } = props;
  return (
    <div>
      <h3 className="reading-title">{title}</h3>
      <dl className="facts">
        {cells.map(({ name, text, remark }) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{isOurs ? <code className="mono">{name}</code> : name}</dt>
            <dd>
              <span className={remark === 'not read' ? 'muted' : undefined}>{text}</span>
              {remark === null ? null : <span className="muted small"> {remark}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Problems({ problems }: { problems: Row['problems'] }): ReactNode {
  if (problems.length === 0) return null;
  return (
    <ul className="reading-list reading-problems">
      {problems.map(({ column, header, problem, fix }) => (
        <li key={`${column ?? ''}/${problem}`}>
          <strong>
            {header === null ? '' : `${header}: `}
            {problem}
          </strong>{' '}
          <span className="muted">{fix}</span>
        </li>
      ))}
    </ul>
  );
}
