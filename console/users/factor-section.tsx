import { Button, TextInput } from '@mantine/core';
import { type SubmitEvent, type ReactNode, useState } from 'react';
import { confirmTotp, enrolTotp, registerPasskey, removePasskey, removeTotp } from '../calls/session-calls.ts';
import { When } from '../elements/figures.tsx';
import { QrCode } from '../elements/qr-code.tsx';
import { Facts, Failed, Section } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { SESSION_KEY, useSession } from '../shell/session.tsx';
import { ChangeGuard } from './change-guard.tsx';

/** Second factors: a passkey signs exactly what is decided; an app that shows codes is the other choice. */
export function FactorSection(): ReactNode {
  const { factors, approval } = useSession();
  return (
    <Section
      title="Second factors"
      aside={approval.needsSecondFactor ? <span>The policy asks for one at each approval.</span> : undefined}
    >
      <div className="stack">
        <Facts
          of={[
            ...factors.passkeys.map(
              ({ passkeyId, label, lastUsedAt }) =>
                [
                  `Passkey “${label}”`,
                  <span key={passkeyId}>
                    used <When at={lastUsedAt} />
                  </span>,
                ] as const,
            ),
            [
              'App with codes',
              factors.totp === null ? (
                'not set up'
              ) : (
                <span key="totp">
                  used <When at={factors.totp.lastUsedAt} />
                </span>
              ),
            ],
          ]}
        />
        <ChangeGuard>{(onUsed) => <Changes onUsed={onUsed} />}</ChangeGuard>
      </div>
    </Section>
  );
}

function Changes({ onUsed }: { onUsed: () => void }): ReactNode {
  const { factors } = useSession();
  const options = { changes: [SESSION_KEY], then: onUsed };
  const remove = useAction(
    (passkeyId: string | null) => (passkeyId === null ? removeTotp() : removePasskey(passkeyId)),
    options,
  );
  return (
    <div className="stack">
      <PasskeyForm onUsed={onUsed} />
      {factors.totp === null ? <TotpForm onUsed={onUsed} /> : null}
      {remove.error === null ? null : <Failed error={remove.error} />}
      <div className="row">
        {factors.passkeys.map(({ passkeyId, label }) => (
          <Button key={passkeyId} size="xs" variant="default" onClick={() => remove.do(passkeyId)}>
            Remove passkey “{label}”
          </Button>
        ))}
        {factors.totp === null ? null : (
          <Button size="xs" variant="default" onClick={() => remove.do(null)}>
            Remove the app
          </Button>
        )}
      </div>
    </div>
  );
}

function PasskeyForm({ onUsed }: { onUsed: () => void }): ReactNode {
  const [label, setLabel] = useState('');
  const register = useAction(registerPasskey, {
    changes: [SESSION_KEY],
    then: () => {
      setLabel('');
      onUsed();
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    register.do(label.trim());
  };
  return (
    <form className="stack" style={{ maxWidth: 360 }} onSubmit={submit}>
      <TextInput
        label="New passkey: its name"
        placeholder="Laptop"
        maxLength={100}
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      {register.error === null ? null : <Failed error={register.error} />}
      <div>
        <Button type="submit" variant="default" loading={register.isRunning} disabled={label.trim() === ''}>
          Add a passkey
        </Button>
      </div>
    </form>
  );
}

function TotpForm({ onUsed }: { onUsed: () => void }): ReactNode {
  const [code, setCode] = useState('');
  const enrol = useAction(enrolTotp);
  const confirm = useAction(confirmTotp, { changes: [SESSION_KEY], then: onUsed });
  if (enrol.answer === undefined) {
    return (
      <div className="stack">
        {enrol.error === null ? null : <Failed error={enrol.error} />}
        <div>
          <Button variant="default" loading={enrol.isRunning} onClick={() => enrol.do(undefined)}>
            Set up an app with codes
          </Button>
        </div>
      </div>
    );
  }
  const { secret, uri } = enrol.answer;
  return (
    <form
      className="stack card"
      style={{ maxWidth: 480 }}
      onSubmit={(event) => {
        event.preventDefault();
        confirm.do(code.trim());
      }}
    >
      <span>Scan this with the app, or type the secret into it. It is shown only this once.</span>
      <div className="row">
        <QrCode of={uri} label="The secret for the app, as a QR code" />
        <div className="stack">
          <code className="mono">{secret.replace(/(.{4})/g, '$1 ').trim()}</code>
          <a href={uri}>Open in the app of this device</a>
        </div>
      </div>
      <TextInput
        label="Code that the app shows"
        inputMode="numeric"
        maxLength={6}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      {confirm.error === null ? null : <Failed error={confirm.error} />}
      <div>
        <Button type="submit" loading={confirm.isRunning} disabled={!/^\d{6}$/.test(code.trim())}>
          Confirm
        </Button>
      </div>
    </form>
  );
}
