import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { connectIdentity, readSignInMethods, removeIdentity } from '../calls/session-calls.ts';
import { Failed, Section } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { SESSION_KEY, useSession } from '../shell/session.tsx';
import { ChangeGuard } from './change-guard.tsx';

/** The sign-in of the company: a user connects their own identity there once. Only where one is configured. */
export function IdentitySection(): ReactNode {
  const { hasIdentity } = useSession();
  const ways = useQuery({
    queryKey: [...SESSION_KEY, 'methods'],
    queryFn: ({ signal }) => readSignInMethods(signal),
  });
  const oidc = ways.data?.oidc ?? null;
  if (oidc === null) return null;
  return (
    <Section title={`Sign-in of ${oidc.name}`}>
      <div className="stack">
        <span>{hasIdentity ? 'Connected: you can sign in there.' : 'Not connected.'}</span>
        <ChangeGuard>{(onUsed) => <Change onUsed={onUsed} />}</ChangeGuard>
      </div>
    </Section>
  );
}

function Change({ onUsed }: { onUsed: () => void }): ReactNode {
  const { hasIdentity } = useSession();
  const connect = useAction(connectIdentity, { then: ({ url }) => window.location.assign(url) });
  const remove = useAction(removeIdentity, { changes: [SESSION_KEY], then: onUsed });
  const error = connect.error ?? remove.error;
  return (
    <div className="stack">
      {error === null ? null : <Failed error={error} />}
      <div>
        {hasIdentity ? (
          <Button variant="default" size="xs" loading={remove.isRunning} onClick={() => remove.do(undefined)}>
            Disconnect it
          </Button>
        ) : (
          <Button variant="default" loading={connect.isRunning} onClick={() => connect.do(undefined)}>
            Connect it
          </Button>
        )}
      </div>
    </div>
  );
}
