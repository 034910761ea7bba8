import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Refund } from '../../api/accounts/refund.ts';
import { api } from '../calls/api.ts';
import { formatDuration, inWords } from '../elements/formats.ts';
import { Mark } from '../elements/mark.tsx';
import type { Column } from '../elements/table.tsx';
import { useAddress } from '../elements/use-address.ts';
import { AccountFilters } from './account-filters.tsx';
import { AccountsFrame } from './accounts-frame.tsx';
import { AMOUNT, MONEY_SEEN } from './money-columns.tsx';
import { MOST_LISTED, NewestTable } from './newest-table.tsx';
import { RunFilter } from './run-filter.tsx';

const STATES = {
  reported: { tone: 'unknown', word: 'Only a notification named it' },
  expected: { tone: 'waiting', word: 'Expected' },
  credited: { tone: 'paid', word: 'Came back' },
} as const;

const COLUMNS: readonly Column<Refund>[] = [
  {
    name: 'Refund',
    cell: ({ account, refundId, remarks }) => (
      <>
        <strong className="mono">{refundId}</strong>
        <div className="muted small">
          {account}
          {remarks === null ? '' : ` · “${remarks}”`}
        </div>
      </>
    ),
  },
  { name: 'State', cell: ({ state }) => <Mark tone={STATES[state].tone}>{STATES[state].word}</Mark> },
  { name: 'Of', cell: (refund) => <Refunded refund={refund} /> },
  AMOUNT,
  {
    name: 'Age',
    align: 'right',
    compare: (one, other) => one.ageSeconds - other.ageSeconds,
    cell: ({ ageSeconds, state }) =>
      state === 'credited' ? <span className="muted">–</span> : formatDuration(ageSeconds),
  },
  MONEY_SEEN,
];

/** Payments that come back: a row is returned only once its money is in the history. */
export function RefundsPage(): ReactNode {
  const { search, change } = useAddress();
  const { account, currency, state, run } = search;
  const refunds = useQuery({
    queryKey: ['refunds', account, currency, state, run],
    queryFn: ({ signal }) =>
      api.listRefunds({ account, currency, state: state as Refund['state'], run, limit: MOST_LISTED }, { signal }),
    refetchInterval: 15_000,
  });
  return (
    <AccountsFrame>
      <AccountFilters>
        <Select
          label="State"
          placeholder="all"
          clearable
          w={220}
          data={Object.entries(STATES).map(([value, { word }]) => ({ value, label: word }))}
          value={state ?? null}
          onChange={(value) => change({ state: value })}
        />
        <RunFilter run={run} onChange={(value) => change({ run: value })} />
      </AccountFilters>
      <NewestTable
        query={refunds}
        rowsOf={(list) => list.refunds}
        label="Refunds"
        columns={COLUMNS}
        keyOf={(refund) => `${refund.account} ${refund.refundId}`}
        blank={{
          title: 'No refunds',
          text: (
            <p>
              When a bank sends a payment back, the provider shows a refund. The row is returned once its money is here.
            </p>
          ),
        }}
      />
    </AccountsFrame>
  );
}

function Refunded({ refund: { runId, rowRef, paymentState, resource, resourceId } }: { refund: Refund }): ReactNode {
  if (runId === null) {
    return resourceId === null ? (
      <span className="muted">not known</span>
    ) : (
      <span className="mono">
        {resource ?? ''} {resourceId}
      </span>
    );
  }
  return (
    <>
      <Link to={`/runs/${runId}/rows`} search={{ q: rowRef ?? '' }}>
        {rowRef ?? 'a row of the run'}
      </Link>
      {paymentState === null ? null : <div className="muted small">{inWords(paymentState)}</div>}
    </>
  );
}
