import { TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { HistoryEntry } from '../../api/accounts/balance.ts';
import { api } from '../calls/api.ts';
import { Money, When } from '../elements/values.tsx';
import { inWords } from '../elements/formats.ts';
import { Pages } from '../elements/more.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useAddress } from '../elements/use-address.ts';
import { AccountFilters } from './account-filters.tsx';
import { AccountsFrame } from './accounts-frame.tsx';
import { BalanceChart } from './balance-chart.tsx';

const COLUMNS: readonly Column<HistoryEntry>[] = [
  {
    name: 'Entry',
    cell: ({ type, entryId, disregarded }) => (
      <>
        <strong>{type === '' ? 'without a type' : inWords(type)}</strong>
        {disregarded === null ? null : <span className="muted"> · {inWords(disregarded)}, not counted</span>}
        <div className="mono muted">{entryId}</div>
      </>
    ),
  },
  { name: 'At', cell: ({ at }) => <When at={at} isExact /> },
  { name: 'Change', align: 'right', cell: ({ change, currency }) => <Money amount={change} currency={currency} /> },
  {
    name: 'Balance after',
    align: 'right',
    cell: ({ after, currency }) => <Money amount={after} currency={currency} />,
  },
  { name: 'Account', isWideOnly: true, cell: ({ account }) => account },
  {
    name: 'Transaction',
    isWideOnly: true,
    cell: ({ transactionId }) => <span className="mono">{transactionId ?? '–'}</span>,
  },
];

/** Every change of a balance, as the provider shows it, the newest first. */
export function HistoryPage(): ReactNode {
  const { search, change } = useAddress();
  const { account, currency, from, to } = search;
  const history = useInfiniteQuery({
    queryKey: ['history', account, currency, from, to],
    queryFn: ({ pageParam, signal }) =>
      api.listBalanceHistory({ account, currency, from, to, after: pageParam, limit: 100 }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextAfter }) => nextAfter,
  });
  return (
    <AccountsFrame>
      <AccountFilters>
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
      <Pages
        query={history}
        items={history.data?.pages.flatMap(({ entries }) => entries) ?? []}
        blank={{ title: 'No entries', text: 'The history is read by the worker, the newest entries first.' }}
        more="Earlier entries"
      >
        {(entries) => (
          <>
            <BalanceChart entries={entries} />
            <Table
              label="History"
              rows={entries}
              columns={COLUMNS}
              keyOf={(entry) => `${entry.account}${entry.currency}${entry.entryId}`}
            />
          </>
        )}
      </Pages>
    </AccountsFrame>
  );
}
