import type { ReactNode } from 'react';
import { Page } from '../elements/page.tsx';
import { Tabs } from '../elements/tabs.tsx';

export function AccountsFrame({ children, actions }: { children: ReactNode; actions?: ReactNode }): ReactNode {
  return (
    <Page title="Accounts" under="What the provider holds for you, and what of it is committed" actions={actions}>
      <Tabs
        label="Parts of the accounts"
        of={[
          { to: '/accounts', name: 'Balances' },
          { to: '/accounts/history', name: 'History' },
          { to: '/accounts/ledger', name: 'Ledger' },
          { to: '/accounts/receipts', name: 'Receipts' },
          { to: '/accounts/refunds', name: 'Refunds' },
          { to: '/accounts/deposits', name: 'Deposits' },
          { to: '/accounts/fundings', name: 'Fundings' },
          { to: '/accounts/virtual', name: 'Virtual accounts' },
        ]}
      />
      {children}
    </Page>
  );
}
