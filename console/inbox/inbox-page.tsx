import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { InboxGroup, InboxItem } from '../../api/inbox/inbox.ts';
import { api } from '../calls/api.ts';
import { When } from '../elements/values.tsx';
import { formatCount, formatDuration, inWords } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark } from '../elements/mark.tsx';
import { Blank, Page, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useNow } from '../elements/use-now.ts';
import { useTopic } from '../shell/live.tsx';
import { KINDS } from './inbox-kinds.ts';
import { capitalized } from '../../domain/capitalized.ts';

/** What waits for whoever is signed in, the most urgent first. */
export function InboxPage(): ReactNode {
  const refetchInterval = useTopic('inbox');
  const inbox = useQuery({
    queryKey: ['inbox'],
    queryFn: ({ signal }) => api.getInbox({}, { signal }),
    refetchInterval,
  });
  return (
    <Page title="Inbox" under="What waits for you, the most urgent first">
      <Loaded query={inbox}>
        {({ groups }) =>
          groups.length === 0 ? (
            <Blank title="Nothing waits for you">
              <p>
                Approvals, held payments, unknown outcomes and differences appear here as soon as they wait for you.
              </p>
              <Link to="/runs">Look at all runs</Link>
            </Blank>
          ) : (
            groups.map((group) => <Group key={group.kind} group={group} />)
          )
        }
      </Loaded>
    </Page>
  );
}

function Group({ group }: { group: InboxGroup }): ReactNode {
  const { title, tone, hint, hrefOf, listHref, listName, countOf } = KINDS[group.kind];
  const columns: Column<InboxItem>[] = [
    {
      name: 'What',
      cell: (item) => (
        <>
          <Link to={hrefOf(item)} className="main">
            {item.title}
          </Link>
          {item.reason === null ? null : <div className="muted small">{capitalized(item.reason)}</div>}
        </>
      ),
    },
    ...(countOf === undefined
      ? []
      : [
          {
            name: countOf.title,
            align: 'right',
            cell: ({ count }) => countOf.format(count),
          } satisfies Column<InboxItem>,
        ]),
    { name: 'Account', isWideOnly: true, cell: ({ account }) => account ?? 'all' },
    ...(countOf === undefined
      ? [{ name: 'State', cell: ({ state }) => (state === null ? '' : inWords(state)) } satisfies Column<InboxItem>]
      : []),
    { name: 'Waits', align: 'right', cell: (item) => <Waits item={item} /> },
  ];
  const shown = group.items.length;
  return (
    <Section
      title={`${title} (${formatCount(group.count)}${group.hasMore ? '+' : ''})`}
      aside={<Mark tone={tone}>{hint}</Mark>}
    >
      <Table
        label={title}
        rows={group.items}
        columns={columns}
        keyOf={({ id, runId, title: name }) => `${id}${runId ?? ''}${name}`}
        hrefOf={hrefOf}
      />
      {group.count > shown ? (
        <p className="small">
          Shown: those that have waited longest.{' '}
          <Link to={listHref}>
            {listName ?? `Show all ${formatCount(group.count)}${group.hasMore ? ' and more' : ''}`}
          </Link>
        </p>
      ) : null}
    </Section>
  );
}

function Waits({ item }: { item: InboxItem }): ReactNode {
  const now = useNow(60_000);
  const seconds = Math.max(0, (now - Date.parse(item.waitingSince)) / 1000);
  const isOld = seconds > 3 * 24 * 3600;
  return (
    <>
      <span style={{ fontWeight: isOld ? 600 : undefined, whiteSpace: 'nowrap' }}>{formatDuration(seconds)}</span>
      {item.expiresAt === null ? null : (
        <div className="muted small">
          until <When at={item.expiresAt} />
        </div>
      )}
    </>
  );
}
