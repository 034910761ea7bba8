import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SessionSummary } from '../../api/users/session.ts';
import { endSession, listSessions } from '../calls/session-calls.ts';
import { When } from '../elements/figures.tsx';
import { inWords } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Facts, Failed, Notice, Page, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useSession } from '../shell/session.tsx';
import { PasswordSection } from './password-section.tsx';
import { FactorSection } from './factor-section.tsx';
import { IdentitySection } from './identity-section.tsx';

/** One's own sign-in: password, second factors, and where one is signed in. */
export function AccountPage(): ReactNode {
  const { user, roles, accounts, mayChangeSignIn } = useSession();
  return (
    <Page title="Sign-in and sessions" under={user.name}>
      <Facts
        of={[
          ['Signs in as', user.login],
          ['Roles', roles.length === 0 ? 'none yet' : roles.map(inWords).join(', ')],
          ['Accounts', accounts === null ? 'all' : accounts.join(', ')],
        ]}
      />
      {mayChangeSignIn.until === null ? (
        <Notice tone="waiting" title="Sign in again to change something here">
          Passwords and second factors are changed within some minutes after signing in.
        </Notice>
      ) : null}
      <PasswordSection />
      <FactorSection />
      <IdentitySection />
      <Sessions />
    </Page>
  );
}

function Sessions(): ReactNode {
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: ({ signal }) => listSessions(signal) });
  const end = useAction(endSession, { changes: [['sessions']] });
  const columns: readonly Column<SessionSummary>[] = [
    {
      name: 'Browser',
      cell: ({ browser, isThis }) => (
        <>
          <strong>{browser ?? 'not known'}</strong>
          {isThis ? <span className="muted"> · this one</span> : null}
        </>
      ),
    },
    { name: 'User', isWideOnly: true, cell: ({ name }) => name },
    { name: 'Signed in by', isWideOnly: true, cell: ({ method }) => inWords(method) },
    { name: 'From', cell: ({ address }) => address ?? '–' },
    { name: 'Since', cell: ({ createdAt }) => <When at={createdAt} /> },
    { name: 'Used', cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
    {
      name: '',
      align: 'right',
      cell: ({ sessionId, isThis, name }) =>
        isThis ? null : (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`End the session of ${name}`}
            onClick={() => end.do(sessionId)}
          >
            End
          </Button>
        ),
    },
  ];
  return (
    <Section title="Where you are signed in">
      <div className="stack">
        {end.error === null ? null : <Failed error={end.error} />}
        <Loaded query={sessions}>
          {(list) => (
            <Table
              label="Sessions"
              rows={list.filter(({ isActive }) => isActive)}
              columns={columns}
              keyOf={({ sessionId }) => sessionId}
            />
          )}
        </Loaded>
      </div>
    </Section>
  );
}
