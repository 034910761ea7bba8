import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { VirtualAccount } from '../../api/accounts/virtual-account.ts';
import { api } from '../calls/api.ts';
import { When } from '../elements/values.tsx';
import { type Column, compareText } from '../elements/table.tsx';
import { useAddress } from '../elements/use-address.ts';
import { useMay } from '../shell/session.tsx';
import { AccountFilters } from './account-filters.tsx';
import { AccountsFrame } from './accounts-frame.tsx';
import { CopiedNumber } from './copied-number.tsx';
import { MOST_LISTED, NewestTable } from './newest-table.tsx';
import { VirtualStateMark } from './virtual-states.tsx';

const COLUMNS: readonly Column<VirtualAccount>[] = [
  {
    name: 'Virtual account',
    compare: (one, other) => compareText(one.name, other.name),
    cell: ({ virtualAccountId, name, description }) => (
      <>
        <Link to={`/accounts/virtual/${virtualAccountId}`} className="main">
          {name}
        </Link>
        <div className="muted small">{description}</div>
      </>
    ),
  },
  {
    name: 'State',
    compare: (one, other) => compareText(one.state, other.state),
    cell: ({ state }) => <VirtualStateMark state={state} />,
  },
  { name: 'Number', cell: (account) => <CopiedNumber of={account} /> },
  { name: 'Currency', cell: ({ currency }) => currency },
  { name: 'Account', isWideOnly: true, cell: ({ account }) => account },
  { name: 'Asked for', align: 'right', isWideOnly: true, cell: ({ requestedAt }) => <When at={requestedAt} /> },
];

/** Numbers on which others pay into a balance. */
export function VirtualAccountsPage(): ReactNode {
  const { account } = useAddress().search;
  const mayAsk = useMay('request_virtual_account');
  const accounts = useQuery({
    queryKey: ['virtual-accounts', account],
    queryFn: ({ signal }) => api.listVirtualAccounts({ account, limit: MOST_LISTED }, { signal }),
    refetchInterval: 15_000,
  });
  const ask = (
    <Button component={Link} to="/accounts/virtual/new">
      Ask for a virtual account
    </Button>
  );
  return (
    <AccountsFrame actions={mayAsk ? ask : undefined}>
      <AccountFilters hasCurrency={false} />
      <NewestTable
        query={accounts}
        rowsOf={(list) => list.virtualAccounts}
        label="Virtual accounts"
        columns={COLUMNS}
        keyOf={({ virtualAccountId }) => virtualAccountId}
        hrefOf={({ virtualAccountId }) => `/accounts/virtual/${virtualAccountId}`}
        blank={{
          title: 'There are no virtual accounts yet',
          text: (
            <>
              <p>
                A virtual account is a number on which others pay into one of your balances. The provider approves it.
              </p>
              {mayAsk ? null : <p>A treasurer asks for one.</p>}
            </>
          ),
        }}
      />
    </AccountsFrame>
  );
}
