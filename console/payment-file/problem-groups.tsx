import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Draft } from '../../api/payment-file/draft.ts';
import { columnInWords } from '../../domain/payment-file/problem-causes.ts';
import { counted, formatCount } from '../elements/formats.ts';
import { Section } from '../elements/page.tsx';
import { useAddress } from '../elements/use-address.ts';
import { rowsInWords } from './rows-in-words.ts';
import { ROWS_TO_CORRECT } from './draft-table.tsx';
import { capitalized } from '../../domain/capitalized.ts';

type Group = Draft['groups'][number];

/** A value for all rows of a cause. */
export interface Fill {
  column: string;
  code: string;
  firstRow: number | null;
  value: string;
}

interface Filling {
  isFilling: boolean;
  onFill: (fill: Fill) => void;
  /** Rows are to be removed, which is saved like any other change. */
  onLeaveOut: (rows: readonly number[]) => void;
}

/** What is wrong, by cause; a value for all rows of a cause is typed once, and saved like any other change. */
export function ProblemGroups({ draft, ...given }: { draft: Draft } & Filling): ReactNode {
  if (draft.groups.length === 0) return null;
  return (
    <Section title="What is wrong">
      <div className="stack" style={{ gap: 8 }}>
        {draft.groups.map((group) => (
          <GroupCard key={`${group.code}/${group.column ?? ''}`} group={group} {...given} />
        ))}
      </div>
    </Section>
  );
}

function GroupCard({ group, isFilling, onFill, onLeaveOut }: { group: Group } & Filling): ReactNode {
  const { change } = useAddress();
  const [value, setValue] = useState('');
  const { column, code, count, firstRow, fillRows, leaveOut } = group;
  return (
    <div className="card row spread">
      <div>
        <strong>
          {formatCount(count)} × {column === null ? '' : `${columnInWords(group)}: `}
          {group.problem}
        </strong>
        {group.sameRowRef.length === 0 ? null : <div>{sameInWords(group.sameRowRef)}</div>}
        <div className="muted">{group.fix}</div>
      </div>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (column !== null) onFill({ column, code, firstRow, value });
        }}
      >
        {column === null || fillRows === 0 ? null : (
          <>
            <TextInput
              aria-label={`Value of ${columnInWords(group)} for ${counted(fillRows, 'row')}`}
              placeholder="value"
              w={140}
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" loading={isFilling} disabled={value === ''}>
              Set for {fillRows === 1 ? 'it' : `all ${formatCount(fillRows)}`}
            </Button>
          </>
        )}
        {leaveOut.length === 0 ? null : (
          <Button variant="default" onClick={() => onLeaveOut(leaveOut)}>
            {group.sameRowRef.length === 0 ? 'Leave out' : 'Keep the first, leave out'}{' '}
            {leaveOut.length === 1 ? `row ${leaveOut[0]}` : counted(leaveOut.length, 'row')}
          </Button>
        )}
        {firstRow === null ? null : (
          <Button
            variant="subtle"
            onClick={() => {
              change({ code, column, only: null, page: null });
              document.getElementById(ROWS_TO_CORRECT)?.focus();
            }}
          >
            Show {count === 1 ? 'it' : 'them'}
          </Button>
        )}
      </form>
    </div>
  );
}

const MOST_NAMED = 5;

/** `Rows 3 and 7; rows 4 and 9`. */
function sameInWords(same: Group['sameRowRef']): string {
  const more = same.length - MOST_NAMED;
  const named = [...same.slice(0, MOST_NAMED).map(rowsInWords), ...(more > 0 ? [`${formatCount(more)} more`] : [])];
  return capitalized(named.join('; '));
}
