import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { api } from '../calls/api.ts';
import { Failed, Notice } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { SESSION_KEY, useSession } from '../shell/session.tsx';
import { companySignInAddress } from './company-address.ts';
import { useSignInMethods } from './use-sign-in-methods.ts';

/** What helps whoever may not change something about how they sign in, because they have signed in too long ago. */
export function SignInAgainNotice(): ReactNode {
  const { hasIdentity } = useSession();
  const ways = useSignInMethods();
  // The page stays below the sign-in, here and in other tabs, with what was begun there.
  const again = useAction(() => api.endOwnSession(), { changes: [SESSION_KEY] });
  const oidc = hasIdentity ? (ways.data?.oidc ?? null) : null;
  const takesPassword = ways.data?.password !== null;
  return (
    <Notice tone="waiting" title="Sign in again to change something here">
      <div className="stack">
        <span>
          Passwords, second factors and tokens take a sign-in of the last 15 minutes.
          {takesPassword || oidc !== null ? '' : ' It takes another one-time link of an administrator.'}
        </span>
        {again.error === null ? null : <Failed error={again.error} />}
        <div className="row">
          {oidc === null ? null : (
            <Button size="xs" variant="default" component="a" href={companySignInAddress({ isAgain: true })}>
              Sign in again with {oidc.name}
            </Button>
          )}
          {takesPassword ? (
            <Button size="xs" variant="default" loading={again.isRunning} onClick={() => again.do(undefined)}>
              {oidc === null ? 'Sign in again' : 'Sign in again another way'}
            </Button>
          ) : null}
        </div>
      </div>
    </Notice>
  );
}
