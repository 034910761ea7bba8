import type { ReactNode } from 'react';
import type { Session } from '../../api/users/session.ts';
import { Page } from '../elements/page.tsx';
import { Tabs } from '../elements/tabs.tsx';
import { useSession } from '../shell/session.tsx';

/** Each for whoever may read something there. */
const TABS: readonly { to: string; name: string; needs: Session['permissions'][number] }[] = [
  { to: '/admin', name: 'Users', needs: 'read_audit' },
  { to: '/admin/changes', name: 'Changes', needs: 'read_runs' },
  { to: '/admin/sessions', name: 'Sessions', needs: 'manage_users' },
  { to: '/admin/tokens', name: 'Tokens', needs: 'manage_users' },
  { to: '/admin/policy', name: 'Policy', needs: 'read_runs' },
  { to: '/admin/accounts', name: 'Accounts', needs: 'read_runs' },
  { to: '/admin/audit', name: 'Audit', needs: 'read_audit' },
];

export function AdminFrame({ children }: { children: ReactNode }): ReactNode {
  const { permissions } = useSession();
  return (
    <Page
      title="Admin"
      under="Users and their roles, what waits for a second administrator, the policy, the audit trail"
    >
      <Tabs label="Parts of the administration" of={TABS.filter(({ needs }) => permissions.includes(needs))} />
      {children}
    </Page>
  );
}
