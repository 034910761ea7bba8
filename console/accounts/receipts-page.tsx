import { Button, Checkbox } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Receipt } from '../../api/accounts/receipt.ts';
import { allows } from '../approvals/allowed.tsx';
import { nameOf, readActions } from '../approvals/read-actions.ts';
import { api } from '../calls/api.ts';
import { When } from '../elements/values.tsx';
import { formatDuration, inWords, shortId } from '../elements/formats.ts';
import { Mark } from '../elements/mark.tsx';
import { type Column, compareText } from '../elements/table.tsx';
import { Unread } from '../elements/unread.tsx';
import { useAddress } from '../elements/use-address.ts';
import { AccountFilters } from './account-filters.tsx';
import { AccountsFrame } from './accounts-frame.tsx';
import { AssignDialog } from './assign-dialog.tsx';
import { AMOUNT } from './money-columns.tsx';
import { MOST_LISTED, NewestTable } from './newest-table.tsx';
import { capitalized } from '../../domain/capitalized.ts';

const COLUMNS: readonly Column<Receipt>[] = [
  {
    name: 'Receipt',
    compare: (one, other) => compareText(one.datedAt, other.datedAt),
    cell: ({ account, type, entryId, transactionId, matchesEarlierDebit }) => (
      <>
        <strong>{type === '' ? 'without a type' : inWords(type)}</strong>
        {matchesEarlierDebit ? <span className="muted"> · comes back from an earlier debit</span> : null}
        <div className="mono muted">
          {account} · {entryId}
          {transactionId === null ? '' : ` · transaction ${transactionId}`}
        </div>
      </>
    ),
  },
  { name: 'Dated', cell: ({ datedAt }) => <When at={datedAt} /> },
  {
    name: 'Age',
    align: 'right',
    compare: (one, other) => one.ageSeconds - other.ageSeconds,
    cell: ({ ageSeconds, explainedBy }) =>
      explainedBy === null ? (
        <strong>{formatDuration(ageSeconds)}</strong>
      ) : (
        <span className="muted">{formatDuration(ageSeconds)}</span>
      ),
  },
  AMOUNT,
  { name: 'Explained by', cell: (receipt) => <Explanation receipt={receipt} /> },
];

/** Money that came in and that nothing explains: a treasurer says what it is. */
export function ReceiptsPage(): ReactNode {
  const { search, change } = useAddress();
  const { account, currency, all } = search;
  const [asked, setAsked] = useState<Receipt | null>(null);
  const receipts = useQuery({
    queryKey: ['receipts', account, currency, all],
    queryFn: ({ signal }) => api.listReceipts({ account, currency, all, limit: MOST_LISTED }, { signal }),
    refetchInterval: 15_000,
  });
  const listed = receipts.data?.receipts ?? [];
  const actions = useQuery({
    // What explains a receipt decides what may be said of it.
    queryKey: ['receipts', 'actions', listed.map((receipt) => [keyOf(receipt), receipt.explainedBy])],
    queryFn: ({ signal }) => readActions('receipt', listed.map(keyOf), signal),
    enabled: listed.length > 0,
    // Receipts that come meanwhile take no buttons away.
    placeholderData: keepPreviousData,
  });
  const isAssignable = (receipt: Receipt): boolean => allows(actions.data?.get(keyOf(receipt)), 'assign');
  return (
    <AccountsFrame>
      <AccountFilters>
        <Checkbox
          label="Also those that something explains"
          mb={8}
          checked={all === 'true'}
          onChange={(event) => change({ all: event.currentTarget.checked ? 'true' : null })}
        />
      </AccountFilters>
      <Unread query={actions} what="What you may do" />
      <NewestTable
        query={receipts}
        rowsOf={(list) => list.receipts}
        label="Receipts"
        columns={listed.some(isAssignable) ? [...COLUMNS, assignColumn(isAssignable, setAsked)] : COLUMNS}
        keyOf={keyOf}
        blank={{
          title: all === 'true' ? 'Nothing came in yet' : 'Everything that came in is explained',
          text: (
            <p>
              What refunds, fundings, deposits and conversions do not explain is listed here, until a treasurer says
              what it is.
            </p>
          ),
        }}
      />
      {asked === null ? null : <AssignDialog key={keyOf(asked)} receipt={asked} onClose={() => setAsked(null)} />}
    </AccountsFrame>
  );
}

function keyOf({ account, currency, entryId }: Receipt): string {
  return nameOf(account, currency, entryId);
}

function assignColumn(isAssignable: (receipt: Receipt) => boolean, ask: (receipt: Receipt) => void): Column<Receipt> {
  return {
    name: 'Action',
    cell: (receipt) =>
      isAssignable(receipt) ? (
        <Button size="compact-sm" variant="default" onClick={() => ask(receipt)}>
          {receipt.explainedBy === null ? 'Say what it is …' : 'Say otherwise …'}
        </Button>
      ) : (
        ''
      ),
  };
}

function Explanation({ receipt }: { receipt: Receipt }): ReactNode {
  const { explainedBy, refundId, fundingId, depositTransactionId, assignment } = receipt;
  if (explainedBy === null) return <Mark tone="waiting">Nothing</Mark>;
  const id = refundId ?? fundingId ?? depositTransactionId;
  return (
    <>
      <Mark tone="paid">
        {capitalized(explainedBy)}
        {id === null ? '' : ` ${shortId(id)}`}
      </Mark>
      {assignment === null ? null : (
        <div className="muted small">
          {assignment.by}, <When at={assignment.at} />:{' '}
          {assignment.reason === null ? 'the reason was erased' : `“${assignment.reason}”`}
        </div>
      )}
    </>
  );
}
