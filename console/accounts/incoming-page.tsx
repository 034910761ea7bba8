import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Deposit, Funding } from '../../api/accounts/receipt.ts';
import { api } from '../calls/api.ts';
import { When } from '../elements/values.tsx';
import { formatDuration, inWords } from '../elements/formats.ts';
import { Mark, type Tone } from '../elements/mark.tsx';
import type { Column } from '../elements/table.tsx';
import { useAddress } from '../elements/use-address.ts';
import { AccountFilters } from './account-filters.tsx';
import { AccountsFrame } from './accounts-frame.tsx';
import { AMOUNT, MONEY_SEEN } from './money-columns.tsx';
import { MOST_LISTED, NewestTable } from './newest-table.tsx';
import { capitalized } from '../../domain/capitalized.ts';

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
  AMOUNT,
  { name: 'Reported', align: 'right', cell: ({ reportedAt }) => <When at={reportedAt} /> },
  { name: 'Confirmed', align: 'right', isWideOnly: true, cell: ({ confirmedAt }) => <When at={confirmedAt} /> },
];

/** Deposits on virtual accounts: reported by a notification, which proves nothing, or confirmed by the history. */
export function DepositsPage(): ReactNode {
  const { search, change } = useAddress();
  const { account, state } = search;
  const deposits = useQuery({
    queryKey: ['deposits', account, state],
    queryFn: ({ signal }) =>
      api.listDeposits({ account, state: state as Deposit['state'], limit: MOST_LISTED }, { signal }),
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
      <NewestTable
        query={deposits}
        rowsOf={(list) => list.deposits}
        label="Deposits"
        columns={DEPOSITS}
        keyOf={(deposit) => `${deposit.account} ${deposit.transactionId}`}
        blank={{
          title: 'No deposits',
          text: <p>A deposit is money that others pay on one of your virtual accounts. A notification reports it.</p>,
        }}
      />
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
        <Mark tone={STATUS_TONES[status] ?? 'neutral'}>{capitalized(inWords(status))}</Mark>
      ),
  },
  AMOUNT,
  {
    name: 'Age',
    align: 'right',
    compare: (one, other) => one.ageSeconds - other.ageSeconds,
    cell: ({ ageSeconds }) => formatDuration(ageSeconds),
  },
  MONEY_SEEN,
];

/** Money that is to be sent to the provider, as it shows it. */
export function FundingsPage(): ReactNode {
  const { search, change } = useAddress();
  const { account, currency, status } = search;
  const fundings = useQuery({
    queryKey: ['fundings', account, currency, status],
    queryFn: ({ signal }) => api.listFundings({ account, currency, status, limit: MOST_LISTED }, { signal }),
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
          data={Object.keys(STATUS_TONES).map((value) => ({ value, label: capitalized(inWords(value)) }))}
          value={status ?? null}
          onChange={(value) => change({ status: value })}
        />
      </AccountFilters>
      <NewestTable
        query={fundings}
        rowsOf={(list) => list.fundings}
        label="Fundings"
        columns={FUNDINGS}
        keyOf={(funding) => `${funding.account} ${funding.fundingId}`}
        blank={{
          title: 'No fundings',
          text: (
            <p>
              A funding is money that you send to the provider. payrun lists what the provider shows, once a day at
              least.
            </p>
          ),
        }}
      />
    </AccountsFrame>
  );
}
