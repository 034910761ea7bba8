import { Button, Divider, PasswordInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, type ReactNode, useEffect, useState } from 'react';
import type { SignInRequest } from '../../api/users/session.ts';
import { api } from '../calls/api.ts';
import { Failed, Notice, Skeleton } from '../elements/page.tsx';
import { Unread } from '../elements/unread.tsx';
import { useAction } from '../elements/use-action.tsx';
import { SESSION_KEY } from '../shell/session.tsx';
import { companySignInAddress } from './company-address.ts';
import { useSignInMethods } from './use-sign-in-methods.ts';

/** For whoever is not signed in. Whatever page they wanted is shown afterwards: its address stays. */
export function SignInPage(): ReactNode {
  const queries = useQueryClient();
  const [given] = useState(takeFromAddress);
  useEffect(() => {
    const before = document.title;
    document.title = 'Sign in · payrun';
    return () => {
      document.title = before;
    };
  }, []);
  const signIn = useAction((request: SignInRequest) => api.beginSession(request), {
    then: (session) => {
      if (window.location.pathname === '/sign-in') window.history.replaceState(null, '', '/inbox');
      queries.setQueryData(SESSION_KEY, session);
      void queries.invalidateQueries({ queryKey: SESSION_KEY });
    },
  });
  return (
    <main className="sign-in">
      <div className="card stack">
        <h1 style={{ fontSize: 20, margin: 0 }}>Sign in to payrun</h1>
        {given.error === null ? null : (
          <Notice tone="failed" title="The sign-in of your company has failed">
            {OIDC_ERRORS[given.error] ?? `It said: ${given.error}.`} Try again.
          </Notice>
        )}
        {signIn.error === null ? null : <Failed error={signIn.error} />}
        {given.link === null || signIn.error !== null ? (
          <Ways isRunning={signIn.isRunning} onSignIn={signIn.do} />
        ) : (
          <LinkForm link={given.link} isRunning={signIn.isRunning} onSignIn={signIn.do} />
        )}
      </div>
    </main>
  );
}

const OIDC_ERRORS: Readonly<Record<string, string>> = {
  unknown_identity: 'No user of payrun is connected with it: ask an administrator for an invitation.',
  unauthenticated: 'No user of payrun is connected with it, or the answer came too late.',
  not_allowed:
    'It has not asked for all that the policy of payrun requires: sign in there in that way, as with a second factor.',
  disabled: 'Your user is disabled.',
};

/** The code of a one-time link is behind the `#`, and is taken out of the address at once: nobody is to copy it. */
function takeFromAddress(): { link: string | null; error: string | null } {
  const fragment = new URLSearchParams(window.location.hash.slice(1));
  const [link, error] = [fragment.get('link'), fragment.get('error')];
  if (link !== null || error !== null) window.history.replaceState(null, '', window.location.pathname);
  return { link, error };
}

interface FormProps {
  isRunning: boolean;
  onSignIn: (request: SignInRequest) => void;
}

/** A link works once: programs that look at links in mails must not use it up, so a person presses a button. */
function LinkForm({ link, isRunning, onSignIn }: FormProps & { link: string }): ReactNode {
  return (
    <>
      <p style={{ margin: 0 }}>This link signs you in once. Afterwards you set up how you sign in from then on.</p>
      <Button autoFocus loading={isRunning} onClick={() => onSignIn({ link })}>
        Sign in
      </Button>
    </>
  );
}

/** What can succeed: no password where the policy takes the sign-in of the company alone. */
function Ways(props: FormProps): ReactNode {
  const ways = useSignInMethods();
  if (ways.isPending) return <Skeleton lines={4} label="Looking for ways to sign in" />;
  const { password, oidc } = ways.data ?? { password: undefined, oidc: null };
  return (
    <div className="stack">
      {password === null ? null : <PasswordForm {...props} />}
      <Unread query={ways} what="Whether your company has a sign-in of its own" />
      {password !== null && oidc !== null ? <Divider label="or" /> : null}
      {oidc === null ? null : (
        <Button variant="default" component="a" href={companySignInAddress({ isAgain: false })}>
          Sign in with {oidc.name}
        </Button>
      )}
      <p className="muted small" style={{ margin: 0 }}>
        {password === null ? 'Not connected yet?' : 'No password yet?'} Open the link that an administrator gave you.
      </p>
    </div>
  );
}

function PasswordForm({ isRunning, onSignIn }: FormProps): ReactNode {
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onSignIn({ login, password });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        label="Name of your user"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        required
        value={login}
        onChange={(event) => setLogin(event.currentTarget.value)}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" loading={isRunning} disabled={login.trim() === '' || password === ''}>
        Sign in
      </Button>
    </form>
  );
}
