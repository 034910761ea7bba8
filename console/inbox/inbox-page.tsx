import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { InboxGroup, InboxItem, InboxKind } from '../../api/inbox/inbox.ts';
import { readInbox } from '../calls/inbox-calls.ts';
import { When } from '../elements/figures.tsx';
import { formatCount, formatDuration, inWords } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark, type Tone } from '../elements/mark.tsx';
import { Blank, Page, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useNow } from '../elements/use-now.ts';
import { useTopic } from '../shell/live.tsx';

interface KindWords {
  title: string;
  tone: Tone;
  /** What to do with it. */
  hint: string;
  hrefOf: (item: InboxItem) => string;
  countOf?: (count: number) => string;
}

/** Rows that were not paid are counted up to this many. */
const MAX_UNPAID = 1_000;

const KINDS: Readonly<Record<InboxKind, KindWords>> = {
  approval: {
    title: 'Runs to decide on',
    tone: 'waiting',
    hint: 'Approve or reject them: nothing is paid before.',
    hrefOf: ({ id }) => `/runs/${id}/decide`,
    countOf: formatCount,
  },
  unknown_row: {
    title: 'Payments of unknown outcome',
    tone: 'unknown',
    hint: 'Ask the provider, then say how they ended. A second person confirms it.',
    hrefOf: ({ id }) => `/runs/${id}/rows?state=unknown`,
    countOf: formatCount,
  },
  resolution: {
    title: 'Outcomes to confirm',
    tone: 'unknown',
    hint: 'Somebody has said how a payment ended: confirm it, or deny it.',
    // The item is the payment.
    hrefOf: ({ runId }) => `/runs/${runId ?? ''}/rows?state=unknown`,
  },
  held_row: {
    title: 'Held rows and suspected duplicates',
    tone: 'waiting',
    hint: 'They are not paid unless somebody does something about them.',
    // The run says how many it has of each, and leads to either.
    hrefOf: ({ id }) => `/runs/${id}`,
    countOf: formatCount,
  },
  order_approval: {
    title: 'Conversions to decide on',
    tone: 'waiting',
    hint: 'Approve or decline them before they expire.',
    hrefOf: ({ id }) => `/treasury/conversions/${id}`,
  },
  unknown_order: {
    title: 'Conversions of unknown outcome',
    tone: 'unknown',
    hint: 'Ask the provider, then say what became of them.',
    hrefOf: ({ id }) => `/treasury/conversions/${id}`,
  },
  case: {
    title: 'Applicants who wait for you',
    tone: 'waiting',
    hint: 'Something is missing, wrong, or asked for again.',
    hrefOf: ({ id }) => `/onboarding/${id}`,
  },
  break: {
    title: 'Differences in the books',
    tone: 'failed',
    hint: 'One person explains a difference, another one closes it.',
    hrefOf: ({ day, account }) => `/reconciliation/${day ?? ''}?account=${encodeURIComponent(account ?? '')}`,
  },
  stop: {
    title: 'Stops to lift',
    tone: 'failed',
    hint: 'While a stop is active, nothing is sent.',
    hrefOf: ({ runId }) => (runId === null ? '/operations/stops' : `/runs/${runId}`),
  },
  not_paid: {
    title: 'Rows that were not paid',
    tone: 'failed',
    hint: 'They ended without being paid. Correct them in the exceptions file and submit it again, or leave them.',
    // The run says how many it has of each state, and has the exceptions file.
    hrefOf: ({ id }) => `/runs/${id}`,
    countOf: (count) => (count < MAX_UNPAID ? formatCount(count) : `${formatCount(count)} or more`),
  },
  change: {
    title: 'Changes to confirm',
    tone: 'waiting',
    hint: 'They take effect when a second administrator confirms them.',
    hrefOf: () => '/admin/changes',
  },
};

/** What waits for whoever is signed in, the most urgent first. */
export function InboxPage(): ReactNode {
  const refetchInterval = useTopic('inbox');
  const inbox = useQuery({ queryKey: ['inbox'], queryFn: ({ signal }) => readInbox(signal), refetchInterval });
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
  const { title, tone, hint, hrefOf, countOf } = KINDS[group.kind];
  const columns: Column<InboxItem>[] = [
    {
      name: 'What',
      cell: (item) => (
        <Link to={hrefOf(item)} className="main">
          {item.title}
        </Link>
      ),
    },
    ...(countOf === undefined
      ? []
      : [{ name: 'Rows', align: 'right', cell: ({ count }) => countOf(count) } satisfies Column<InboxItem>]),
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
      {group.count > shown ? <p className="muted small">Shown: those that have waited longest.</p> : null}
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
