import { Button, PasswordInput } from '@mantine/core';
import { type SubmitEvent, type ReactNode, useState } from 'react';
import { PASSWORD_MIN_LENGTH } from '../../api/users/password-lengths.ts';
import type { PasswordChange } from '../../api/users/session.ts';
import { api } from '../calls/api.ts';
import { Failed, Notice, Section } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { SESSION_KEY, useSession } from '../shell/session.tsx';
import { ChangeGuard } from './change-guard.tsx';
import { useSignInMethods } from './use-sign-in-methods.ts';

export function PasswordSection(): ReactNode {
  const { hasPassword } = useSession();
  const ways = useSignInMethods();
  if (ways.data?.password === null) return null;
  return (
    <Section title={hasPassword ? 'Password' : 'Set a password'}>
      <ChangeGuard>{(onUsed) => <PasswordForm onUsed={onUsed} />}</ChangeGuard>
    </Section>
  );
}

function PasswordForm({ onUsed }: { onUsed: () => void }): ReactNode {
  const { hasPassword, mayChangeSignIn } = useSession();
  const [present, setPresent] = useState('');
  const [password, setPassword] = useState('');
  const needsPresent = hasPassword && !mayChangeSignIn.needsNoReauthentication;
  const [isSet, setSet] = useState(false);
  const change = useAction((given: PasswordChange) => api.setPassword(given), {
    changes: [SESSION_KEY, ['sessions']],
    then: () => {
      setPresent('');
      setPassword('');
      setSet(true);
      onUsed();
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setSet(false);
    change.do({ present: needsPresent ? present : null, password });
  };
  return (
    <form className="stack" style={{ maxWidth: 360 }} onSubmit={submit}>
      {needsPresent ? (
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          value={present}
          onChange={(event) => setPresent(event.currentTarget.value)}
        />
      ) : null}
      <PasswordInput
        label="New password"
        description={`At least ${PASSWORD_MIN_LENGTH} characters: a few words are good.`}
        autoComplete="new-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {change.error === null ? null : <Failed error={change.error} />}
      {isSet ? <Notice tone="paid">It is set. Your other sessions have ended.</Notice> : null}
      <div>
        <Button
          type="submit"
          loading={change.isRunning}
          disabled={password.length < PASSWORD_MIN_LENGTH || (needsPresent && present === '')}
        >
          Set the password
        </Button>
      </div>
    </form>
  );
}
