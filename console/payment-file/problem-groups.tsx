import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Draft } from '../../api/payment-file/draft.ts';
import { columnInWords } from '../../domain/payment-file/problem-causes.ts';
import { counted, formatCount } from '../elements/formats.ts';
import { Section } from '../elements/page.tsx';
import { useAddress } from '../elements/use-address.ts';
import { ROWS_TO_CORRECT } from './draft-table.tsx';

type Group = Draft['groups'][number];

/** A value for all rows of a cause. */
export interface Fill {
  column: string;
  code: string;
  firstRow: number | null;
  value: string;
}

/** What is wrong, by cause; a value for all rows of a cause is typed once, and saved like any other change. */
export function ProblemGroups(props: { draft: Draft; isFilling: boolean; onFill: (fill: Fill) => void }): ReactNode {
  const { draft, isFilling, onFill } = props;
  if (draft.groups.length === 0) return null;
  return (
    <Section title="What is wrong">
      <div className="stack" style={{ gap: 8 }}>
        {draft.groups.map((group) => (
          <GroupCard key={`${group.code}/${group.column ?? ''}`} group={group} isFilling={isFilling} onFill={onFill} />
        ))}
      </div>
    </Section>
  );
}

function GroupCard(props: { group: Group; isFilling: boolean; onFill: (fill: Fill) => void }): ReactNode {
  const { group, isFilling, onFill } = props;
  const { change } = useAddress();
  const [value, setValue] = useState('');
  const { column, code, count, firstRow, fillRows } = group;
  return (
    <div className="card row spread">
      <div>
        <strong>
          {formatCount(count)} × {column === null ? '' : `${columnInWords(group)}: `}
          {group.problem}
        </strong>
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
