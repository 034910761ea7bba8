import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { LedgerBalance, LedgerTransfer } from '../../api/accounts/ledger.ts';
import { api } from '../calls/api.ts';
import { Money, When } from '../elements/values.tsx';
import { inWords, shortId } from '../elements/formats.ts';
import { Mark } from '../elements/mark.tsx';
import { Pages } from '../elements/more.tsx';
import { Blank, Section, Skeleton } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { Unread } from '../elements/unread.tsx';
import { useAddress } from '../elements/use-address.ts';
import { AccountFilters } from './account-filters.tsx';
import { AccountsFrame } from './accounts-frame.tsx';
import { RunFilter } from './run-filter.tsx';

const BALANCES: readonly Column<LedgerBalance>[] = [
  {
    name: 'For',
    cell: ({ ledgerAccount, runId, rowRef }) =>
      runId === null ? (
        <strong>{nameOf(ledgerAccount)}</strong>
      ) : (
        <Link to={`/runs/${runId}`} className="main">
          {rowRef ?? nameOf(ledgerAccount)}
        </Link>
      ),
  },
  { name: 'Account', isWideOnly: true, cell: ({ account }) => account },
  { name: 'Amount', align: 'right', cell: ({ amount, currency }) => <Money amount={amount} currency={currency} /> },
  {
    name: 'Lacks',
    align: 'right',
    cell: ({ shortBy, currency }) =>
      shortBy === null ? (
        ''
      ) : (
        <Mark tone="failed">
          <Money amount={shortBy} currency={currency} />
        </Mark>
      ),
  },
];

const TRANSFERS: readonly Column<LedgerTransfer>[] = [
  { name: 'What', cell: ({ reason }) => <strong>{inWords(reason)}</strong> },
  { name: 'At', cell: ({ at }) => <When at={at} isExact /> },
  { name: 'From', cell: ({ debit }) => nameOf(debit) },
  { name: 'To', cell: ({ credit }) => nameOf(credit) },
  { name: 'Amount', align: 'right', cell: ({ amount, currency }) => <Money amount={amount} currency={currency} /> },
];

/** `run/<id>` as `run 018f2a00`. */
function nameOf(ledgerAccount: string): string {
  const [kind = '', id = ''] = ledgerAccount.split('/');
  return id === '' ? kind : `${kind} ${shortId(id)}`;
}

/** What the money of each balance is for, and each transfer between these purposes. */
export function LedgerPage(): ReactNode {
  const { search, change } = useAddress();
  const { account, currency, run } = search;
  const ledger = useInfiniteQuery({
    queryKey: ['ledger', account, currency, run],
    queryFn: ({ pageParam, signal }) =>
      api.readLedger({ account, currency, run, after: pageParam, limit: 100 }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ nextAfter }) => nextAfter ?? undefined,
  });
  const balances = ledger.data?.pages[0]?.balances ?? [];
  return (
    <AccountsFrame>
      <AccountFilters>
        <RunFilter run={run} onChange={(value) => change({ run: value })} />
      </AccountFilters>
      <Section title="What the money is for">
        {ledger.isPending ? <Skeleton lines={3} /> : null}
        <Unread query={ledger} what="What the money is for" />
        {ledger.isSuccess && balances.length === 0 ? (
          <Blank title="No balance is known yet">
            <p>The ledger begins with the first balance of the history.</p>
            <Link to="/accounts">Look at the balances</Link>
          </Blank>
        ) : null}
        {balances.length === 0 ? null : (
          <Table
            label="Ledger accounts"
            rows={balances}
            columns={BALANCES}
            keyOf={(balance) => `${balance.account}${balance.currency}${balance.ledgerAccount}`}
          />
        )}
      </Section>
      <Section title="Transfers">
        <Pages
          query={ledger}
          items={ledger.data?.pages.flatMap(({ transfers }) => transfers) ?? []}
          blank={{ title: 'No transfer yet', text: 'The ledger begins with the first balance of the history.' }}
          more="Earlier transfers"
        >
          {(transfers) => (
            <Table
              label="Transfers"
              rows={transfers}
              columns={TRANSFERS}
              keyOf={({ transferId }) => String(transferId)}
            />
          )}
        </Pages>
      </Section>
    </AccountsFrame>
  );
}
