import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { api } from '../calls/api.ts';
import { ReasonDialog } from '../elements/dialog.tsx';
import { Failed, Section } from '../elements/page.tsx';
import { Unread } from '../elements/unread.tsx';
import { useAction } from '../elements/use-action.tsx';
import { SESSION_KEY, useSession } from '../shell/session.tsx';
import { ChangeGuard } from './change-guard.tsx';
import { useSignInMethods } from './use-sign-in-methods.ts';

/** The sign-in of the company: a user connects their own identity there once. Only where one is configured. */
export function IdentitySection(): ReactNode {
  const { hasIdentity } = useSession();
  const ways = useSignInMethods();
  const oidc = ways.data?.oidc ?? null;
  if (oidc === null) return <Unread query={ways} what="The sign-in of your company" />;
  return (
    <Section title={`Sign-in of ${oidc.name}`}>
      <div className="stack">
        <span>{hasIdentity ? 'Connected: you can sign in there.' : 'Not connected.'}</span>
        <ChangeGuard>{(onUsed) => <Change takesPassword={ways.data?.password !== null} onUsed={onUsed} />}</ChangeGuard>
      </div>
    </Section>
  );
}

function Change({ takesPassword, onUsed }: { takesPassword: boolean; onUsed: () => void }): ReactNode {
  const { hasIdentity, hasPassword } = useSession();
  const connect = useAction(() => api.connectIdentity(), { then: ({ url }) => window.location.assign(url) });
  const [isAsked, setAsked] = useState(false);
  const remove = useAction(() => api.removeIdentity(), {
    changes: [SESSION_KEY],
    then: () => {
      setAsked(false);
      onUsed();
    },
  });
  return (
    <div className="stack">
      {connect.error === null ? null : <Failed error={connect.error} />}
      <div>
        {hasIdentity ? (
          <Button variant="default" size="xs" onClick={() => setAsked(true)}>
            Disconnect it …
          </Button>
        ) : (
          <Button variant="default" loading={connect.isRunning} onClick={() => connect.do(undefined)}>
            Connect it
          </Button>
        )}
      </div>
      <ReasonDialog
        title="Disconnect the sign-in of the company?"
        verb="Disconnect it"
        reason="none"
        isDangerous
        action={remove}
        isOpen={isAsked && hasIdentity}
        onClose={() => setAsked(false)}
      >
        <p style={{ margin: 0 }}>
          You cannot sign in there any more, until you connect it again from here.
          {hasPassword && takesPassword
            ? ''
            : ' Without a password, only a one-time link of an administrator lets you in.'}
        </p>
      </ReasonDialog>
    </div>
  );
}
