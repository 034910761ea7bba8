import type { ReactNode } from 'react';
import { Page } from '../elements/page.tsx';
import { Tabs } from '../elements/tabs.tsx';

export function AdminFrame({ children }: { children: ReactNode }): ReactNode {
  return (
    <Page title="Admin" under="Users and their roles, what waits for a second administrator, the policy, the record">
      <Tabs
        label="Parts of the administration"
        of={[
          { to: '/admin', name: 'Users' },
          { to: '/admin/changes', name: 'Changes' },
          { to: '/admin/tokens', name: 'Tokens' },
          { to: '/admin/policy', name: 'Policy' },
          { to: '/admin/audit', name: 'Audit' },
        ]}
      />
      {children}
    </Page>
  );
}
