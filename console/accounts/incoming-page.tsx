import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Deposit, Funding } from '../../api/accounts/receipt.ts';
import { listDeposits, listFundings } from '../calls/receipt-calls.ts';
import { Money, When } from '../elements/figures.tsx';
import { capitalised, formatDuration, inWords } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark, type Tone } from '../elements/mark.tsx';
import { Blank } from '../elements/page.tsx';
import { type Column, compareAmounts, Table } from '../elements/table.tsx';
import { useAddress } from '../elements/use-address.ts';
import { AccountFilters } from './account-filters.tsx';
import { AccountsFrame } from './accounts-frame.tsx';
import { Cut } from './receipts-page.tsx';

const LIMIT = 200;

const DEPOSITS: readonly Column<Deposit>[] = [
  {
    name: 'Deposit',
    cell: ({ account, transactionId, entryId }) => (
      <>
        <strong>{transactionId}</strong>
        <div className="mono muted">
          {account}
          {entryId === null ? '' : ` · entry ${entryId}`}
        </div>
      </>
    ),
  },
  {
    name: 'State',
    cell: ({ state }) =>
      state === 'confirmed' ? <Mark tone="paid">Seen in the history</Mark> : <Mark tone="waiting">Only reported</Mark>,
  },
  { name: 'Provider says', cell: ({ status }) => inWords(status) },
  {
    name: 'Amount',
    align: 'right',
    compare: (one, other) => compareAmounts(one.amount, other.amount),
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  { name: 'Reported', align: 'right', cell: ({ reportedAt }) => <When at={reportedAt} /> },
  { name: 'Confirmed', align: 'right', isWideOnly: true, cell: ({ confirmedAt }) => <When at={confirmedAt} /> },
];

/** Deposits on virtual accounts: reported by a notification, which proves nothing, or confirmed by the history. */
export function DepositsPage(): ReactNode {
  const { search, change } = useAddress();
  const { account, state } = search;
  const deposits = useQuery({
    queryKey: ['deposits', account, state],
    queryFn: ({ signal }) => listDeposits({ account, state, limit: LIMIT }, signal),
    refetchInterval: 15_000,
  });
  return (
    <AccountsFrame>
      <AccountFilters hasCurrency={false}>
        <Select
          label="State"
          placeholder="all"
          clearable
          w={200}
          data={[
            { value: 'reported', label: 'Only reported' },
            { value: 'confirmed', label: 'Seen in the history' },
          ]}
          value={state ?? null}
          onChange={(value) => change({ state: value })}
        />
      </AccountFilters>
      <Loaded query={deposits}>
        {({ deposits: list, hasMore }) =>
          list.length === 0 ? (
            <Blank title="No deposit fits">
              <p>A deposit is money that others pay on one of your virtual accounts. A notification reports it.</p>
            </Blank>
          ) : (
            <>
              <Table
                label="Deposits"
                rows={list}
                columns={DEPOSITS}
                keyOf={(deposit) => `${deposit.account} ${deposit.transactionId}`}
              />
              <Cut hasMore={hasMore} />
            </>
          )
        }
      </Loaded>
    </AccountsFrame>
  );
}

const STATUS_TONES: Readonly<Record<string, Tone>> = {
  awaiting_funds: 'waiting',
  pending: 'moving',
  completed: 'paid',
  failed: 'failed',
};

const FUNDINGS: readonly Column<Funding>[] = [
  {
    name: 'Funding',
    cell: ({ account, fundingId, reference }) => (
      <>
        <strong className="mono">{fundingId}</strong>
        <div className="muted small">
          {account}
          {reference === null ? '' : ` · ${reference}`}
        </div>
      </>
    ),
  },
  {
    name: 'Provider says',
    cell: ({ status }) =>
      status === null ? (
        <Mark tone="unknown">Only a notification named it</Mark>
      ) : (
        <Mark tone={STATUS_TONES[status] ?? 'neutral'}>{capitalised(inWords(status))}</Mark>
      ),
  },
  {
    name: 'Amount',
    align: 'right',
    compare: (one, other) => compareAmounts(one.amount, other.amount),
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    name: 'Age',
    align: 'right',
    compare: (one, other) => one.ageSeconds - other.ageSeconds,
    cell: ({ ageSeconds }) => formatDuration(ageSeconds),
  },
  {
    name: 'Money seen',
    align: 'right',
    cell: ({ creditedAt }) => (creditedAt === null ? <span className="muted">not yet</span> : <When at={creditedAt} />),
  },
];

/** Money that is to be sent to the provider, as it shows it. */
export function FundingsPage(): ReactNode {
  const { search, change } = useAddress();
  const { account, currency, status } = search;
  const fundings = useQuery({
    queryKey: ['fundings', account, currency, status],
    queryFn: ({ signal }) => listFundings({ account, currency, status, limit: LIMIT }, signal),
    refetchInterval: 15_000,
  });
  return (
    <AccountsFrame>
      <AccountFilters>
        <Select
          label="Provider says"
          placeholder="all"
          clearable
          w={200}
          data={Object.keys(STATUS_TONES).map((value) => ({ value, label: capitalised(inWords(value)) }))}
          value={status ?? null}
          onChange={(value) => change({ status: value })}
        />
      </AccountFilters>
      <Loaded query={fundings}>
        {({ fundings: list, hasMore }) =>
          list.length === 0 ? (
            <Blank title="No funding fits">
              <p>
                A funding is money that you send to the provider. payrun lists what the provider shows, once a day at
                least.
              </p>
            </Blank>
          ) : (
            <>
              <Table
                label="Fundings"
                rows={list}
                columns={FUNDINGS}
                keyOf={(funding) => `${funding.account} ${funding.fundingId}`}
              />
              <Cut hasMore={hasMore} />
            </>
          )
        }
      </Loaded>
    </AccountsFrame>
  );
}
