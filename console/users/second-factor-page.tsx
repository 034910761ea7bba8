import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { SecondFactor } from '../approvals/second-factor.tsx';
import { api } from '../calls/api.ts';
import { Failed, Notice } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { SESSION_KEY, useLeave, useSession } from '../shell/session.tsx';

/** The second step of a sign-in: until it is done the session does nothing else. */
export function SecondFactorPage(): ReactNode {
  const queries = useQueryClient();
  const { user, factors } = useSession();
  const leave = useLeave();
  const end = useAction(() => api.endOwnSession({}), { then: leave });
  const hasOne = factors.totp !== null || factors.passkeys.length > 0;
  return (
    <main className="sign-in">
      <div className="card stack">
        <h1 style={{ fontSize: 20, margin: 0 }}>Confirm that you are {user.name}</h1>
        {hasOne ? (
          <SecondFactor
            subject={{ kind: 'session' }}
            onShown={() => void queries.invalidateQueries({ queryKey: SESSION_KEY })}
          />
        ) : (
          <Notice tone="failed" title="A second factor is needed, and you have none">
            Ask an administrator for a one-time link: signed in by it, you add one.
          </Notice>
        )}
        {end.error === null ? null : <Failed error={end.error} />}
        <div>
          <Button variant="default" loading={end.isRunning} onClick={() => end.do(undefined)}>
            Sign out
          </Button>
        </div>
      </div>
    </main>
  );
}
