import type { ReactNode } from 'react';
import { Page } from '../elements/page.tsx';
import { Tabs } from '../elements/tabs.tsx';
import { useMay } from '../shell/session.tsx';

export function OperationsFrame({ children }: { children: ReactNode }): ReactNode {
  const mayManage = useMay('manage_users');
  return (
    <Page title="Operations" under="Whether everything runs, what is stopped, and who was notified">
      <Tabs
        label="Parts of operations"
        of={[
          { to: '/operations', name: 'Health' },
          { to: '/operations/rate-limiters', name: 'Rate limiters' },
          { to: '/operations/workers', name: 'Workers' },
          { to: '/operations/webhooks', name: 'Webhooks' },
          { to: '/operations/stops', name: 'Stops' },
          ...(mayManage
            ? [
                { to: '/operations/deliveries', name: 'Deliveries' },
                { to: '/operations/endpoints', name: 'Endpoints' },
              ]
            : []),
        ]}
      />
      {children}
    </Page>
  );
}
