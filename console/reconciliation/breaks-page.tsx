import { Select, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { BreakQuery, BreakSummary } from '../../api/reconciliation/break.ts';
import { AccountFilters } from '../accounts/account-filters.tsx';
import { api } from '../calls/api.ts';
import { CalendarDay, Money } from '../elements/values.tsx';
import { formatCount, formatDuration, inWords } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Blank, Notice, Page } from '../elements/page.tsx';
import { type Column, compareAmounts, compareText, Table } from '../elements/table.tsx';
import { useAddress } from '../elements/use-address.ts';
import { BreakMark } from './break-words.tsx';
import { atDecimalsOf } from './day-amounts.ts';
import { hrefOfDay } from './day-words.tsx';
import { READ_EVERY_MS } from './read-again.ts';
import { capitalized } from '../../domain/capitalized.ts';

const MOST = 1_000;

const STATES: Readonly<Record<BreakQuery['state'], string>> = {
  unresolved: 'open or explained',
  open: 'open',
  explained: 'explained',
  closed: 'closed',
  no_longer_found: 'no longer found',
  all: 'all',
};

const hrefOf = (of: BreakSummary): string => `${hrefOfDay(of)}&break=${of.breakId}`;

const COLUMNS: readonly Column<BreakSummary>[] = [
  {
    name: 'Difference',
    compare: (one, other) => compareText(one.type, other.type),
    cell: (of) => (
      <>
        <Link to={hrefOf(of)} className="main">
          {capitalized(inWords(of.type))}
        </Link>
        <div className="muted small">{of.reason}</div>
      </>
    ),
  },
  {
    name: 'Day, UTC',
    compare: (one, other) => compareText(one.day, other.day),
    cell: ({ day }) => <CalendarDay day={day} />,
  },
  { name: 'Account', isWideOnly: true, cell: ({ account }) => account },
  {
    name: 'Ours',
    align: 'right',
    compare: (one, other) => compareAmounts(one.expected, other.expected),
    cell: ({ expected, currency }) => <Money amount={atDecimalsOf(currency, expected)} currency={currency} />,
  },
  {
    name: 'Theirs',
    align: 'right',
    compare: (one, other) => compareAmounts(one.found, other.found),
    cell: ({ found, currency }) => <Money amount={atDecimalsOf(currency, found)} currency={currency} />,
  },
  {
    name: 'Age',
    align: 'right',
    compare: (one, other) => one.ageSeconds - other.ageSeconds,
    cell: ({ ageSeconds }) => formatDuration(ageSeconds),
  },
  { name: 'Looked after by', isWideOnly: true, cell: ({ owner }) => owner?.name ?? '–' },
  { name: 'State', cell: ({ state }) => <BreakMark state={state} /> },
];

/** Differences of all days, the oldest first: each leads to its day, where it is explained and closed. */
export function BreaksPage(): ReactNode {
  const { search, change } = useAddress();
  const { account, from, to } = search;
  const state = (search.state ?? 'unresolved') as BreakQuery['state'];
  const breaks = useQuery({
    queryKey: ['days', 'breaks', account, from, to, state],
    queryFn: ({ signal }) => api.listBreaks({ account, from, to, state, limit: MOST }, { signal }),
    refetchInterval: READ_EVERY_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Differences"
      under={
        <>
          Of all days. <Link to="/reconciliation">To the days</Link>
        </>
      }
    >
      <AccountFilters hasCurrency={false}>
        <Select
          label="State"
          w={180}
          allowDeselect={false}
          data={Object.entries(STATES).map(([value, label]) => ({ value, label }))}
          value={state}
          onChange={(chosen) => change({ state: chosen === 'unresolved' ? null : chosen })}
        />
        <TextInput
          type="date"
          label="From (UTC)"
          value={from ?? ''}
          onChange={(event) => change({ from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label="To (UTC)"
          value={to ?? ''}
          onChange={(event) => change({ to: event.currentTarget.value })}
        />
      </AccountFilters>
      <Loaded query={breaks}>
        {({ breaks: list }) =>
          list.length === 0 ? (
            <NoBreaks />
          ) : (
            <>
              <Table
                label="Differences"
                rows={list}
                columns={COLUMNS}
                keyOf={({ breakId }) => breakId}
                hrefOf={hrefOf}
              />
              {list.length < MOST ? null : (
                <Notice tone="waiting">
                  The oldest {formatCount(MOST)} are shown: choose a later time to see the others.
                </Notice>
              )}
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function NoBreaks(): ReactNode {
  return (
    <Blank title="No difference fits">
      <p>
        What is open or explained waits for two people. <Link to="/reconciliation">Look at the days</Link>, or choose
        another state or time.
      </p>
    </Blank>
  );
}
