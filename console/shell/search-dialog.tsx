import { Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import type { SearchHit } from '../../api/inbox/search.ts';
import { api } from '../calls/api.ts';
import { Money, When } from '../elements/values.tsx';
import { inWords } from '../elements/formats.ts';
import { Failed } from '../elements/page.tsx';
import { AREAS } from './areas.ts';
import { useSession } from './session.tsx';

interface Target {
  key: string;
  href: string;
  title: string;
  hint: ReactNode;
}

/** Finds what one remembers of it: an id, a reference, a name, an amount, the end of an account number, a page. */
export function SearchDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  return (
    <Modal opened={isOpen} onClose={onClose} size="lg" title="Search" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Search onClose={onClose} />
    </Modal>
  );
}

function Search({ onClose }: { onClose: () => void }): ReactNode {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const [asked] = useDebouncedValue(text.trim(), 200);
  const navigate = useNavigate();
  const { permissions } = useSession();
  const found = useQuery({
    queryKey: ['search', asked],
    queryFn: ({ signal }) => api.search({ q: asked }, { signal }),
    enabled: asked.length >= 2,
    placeholderData: keepPreviousData,
  });
  const pages = AREAS.filter(({ name, needs }) => permissions.includes(needs) && includes(name, text));
  const hits = asked.length < 2 ? [] : (found.data?.hits ?? []);
  const targets = [
    ...pages.map(({ name, to }): Target => ({ key: to, href: to, title: name, hint: 'page' })),
    ...hits.map(targetOf),
  ];
  const open = (target: Target | undefined): void => {
    if (target === undefined) return;
    onClose();
    void navigate({ href: target.href });
  };
  const onKey = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      setChosen(Math.min(Math.max(chosen + by, 0), Math.max(targets.length - 1, 0)));
    } else if (event.key === 'Enter') open(targets[chosen]);
  };
  return (
    <div className="stack">
      <TextInput
        data-autofocus
        size="md"
        leftSection={<IconSearch size={16} />}
        placeholder="Reference, name, amount, last four digits, id …"
        aria-label="Search"
        role="combobox"
        aria-expanded="true"
        aria-controls="hits"
        aria-activedescendant={targets[chosen] === undefined ? undefined : `hit-${chosen}`}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKey}
      />
      {found.isError ? <Failed error={found.error} /> : null}
      <Hits targets={targets} chosen={chosen} onChoose={setChosen} onOpen={open} />
      <span role="status" className="muted small">
        {statusOf(asked, hits.length, found.isFetching, found.data?.hasMore ?? false)}
      </span>
    </div>
  );
}

function Hits(props: {
  targets: readonly Target[];
  chosen: number;
  onChoose: (index: number) => void;
  onOpen: (target: Target) => void;
}): ReactNode {
  const { targets, chosen, onChoose, onOpen } = props;
  return (
    <div className="hits" id="hits" role="listbox" aria-label="Results">
      {targets.map((target, index) => (
        <a
          key={target.key}
          id={`hit-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          className="hit"
          href={target.href}
          onMouseMove={() => onChoose(index)}
          onClick={(event) => {
            event.preventDefault();
            onOpen(target);
          }}
        >
          <span>{target.title}</span>
          <span className="muted small">{target.hint}</span>
        </a>
      ))}
    </div>
  );
}

function statusOf(asked: string, count: number, isFetching: boolean, hasMore: boolean): string {
  if (asked.length < 2) return 'Two characters or more.';
  if (isFetching) return 'Searching …';
  if (count === 0) return 'Nothing was found in runs, rows, conversions and cases.';
  return hasMore ? 'There is more: add something to it.' : '';
}

function includes(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.trim().toLowerCase());
}

function targetOf(hit: SearchHit): Target {
  return {
    key: `${hit.kind}${hit.id}`,
    href: hrefOf(hit),
    title: hit.title,
    hint: (
      <>
        {hit.kind} · {inWords(hit.state)} ·{' '}
        {hit.amount === null ? null : <Money amount={hit.amount} currency={hit.currency} />} <When at={hit.at} />
      </>
    ),
  };
}

function hrefOf({ kind, id, runId, line }: SearchHit): string {
  if (kind === 'run') return `/runs/${id}`;
  if (kind === 'row') return `/runs/${runId ?? ''}/rows?row=${line ?? ''}`;
  return kind === 'order' ? `/treasury/conversions/${id}` : `/onboarding/${id}`;
}
