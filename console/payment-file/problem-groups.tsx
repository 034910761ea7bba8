import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Draft, DraftChangeRequest } from '../../api/payment-file/draft.ts';
import { counted, formatCount } from '../elements/formats.ts';
import { Section } from '../elements/page.tsx';
import { useAddress } from '../elements/use-address.ts';

type Group = Draft['groups'][number];
type Fill = NonNullable<DraftChangeRequest['fill']>[number];

/** What is wrong, by cause; a value for all rows of a cause is set at once. */
export function ProblemGroups(props: { draft: Draft; isSaving: boolean; onFill: (fill: Fill) => void }): ReactNode {
  const { draft, isSaving, onFill } = props;
  if (draft.groups.length === 0) return null;
  return (
    <Section title="What is wrong">
      <div className="stack" style={{ gap: 8 }}>
        {draft.groups.map((group) => (
          <GroupCard key={`${group.code}/${group.column ?? ''}`} group={group} isSaving={isSaving} onFill={onFill} />
        ))}
      </div>
    </Section>
  );
}

function GroupCard(props: { group: Group; isSaving: boolean; onFill: (fill: Fill) => void }): ReactNode {
  const { group, isSaving, onFill } = props;
  const { change } = useAddress();
  const [value, setValue] = useState('');
  const { column, code, count } = group;
  return (
    <div className="card row spread">
      <div>
        <strong>
          {formatCount(count)} × {column === null ? '' : `${column}: `}
          {group.problem}
        </strong>
        <div className="muted">{group.fix}</div>
      </div>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (column !== null) onFill({ column, value, code });
        }}
      >
        {column === null ? null : (
          <>
            <TextInput
              aria-label={`Value of ${column} for ${counted(count, 'row')}`}
              placeholder="value"
              w={140}
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" loading={isSaving} disabled={value === ''}>
              Set for {count === 1 ? 'it' : `all ${formatCount(count)}`}
            </Button>
          </>
        )}
        <Button variant="subtle" onClick={() => change({ code, column, only: null, page: null })}>
          Show {count === 1 ? 'it' : 'them'}
        </Button>
      </form>
    </div>
  );
}
