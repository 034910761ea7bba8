import type { ReactNode } from 'react';
import { Page } from '../elements/page.tsx';
import { Tabs } from '../elements/tabs.tsx';

export function AccountsFrame({ children }: { children: ReactNode }): ReactNode {
  return (
    <Page title="Accounts" under="What the provider holds for you, and what of it is committed">
      <Tabs
        label="Parts of the accounts"
        of={[
          { to: '/accounts', name: 'Balances' },
          { to: '/accounts/history', name: 'History' },
          { to: '/accounts/ledger', name: 'Ledger' },
        ]}
      />
      {children}
    </Page>
  );
}
