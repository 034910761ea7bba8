import { Button, TextInput } from '@mantine/core';
import { type SubmitEvent, type ReactNode, useState } from 'react';
import { api } from '../calls/api.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { ReasonDialog } from '../elements/dialog.tsx';
import { When } from '../elements/values.tsx';
import { QrCode } from '../elements/qr-code.tsx';
import { Facts, Failed, Section } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAskedRow } from '../elements/use-asked-row.ts';
import { SESSION_KEY, useSession } from '../shell/session.tsx';
import { ChangeGuard } from './change-guard.tsx';
import { registerPasskey } from './passkeys.ts';

const WAITS = '; for decisions it counts once another administrator than who made your code has confirmed it';

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
              ({ passkeyId, label, lastUsedAt, counts }) =>
                [
                  `Passkey “${label}”`,
                  <span key={passkeyId}>
                    used <When at={lastUsedAt} />
                    {counts ? null : WAITS}
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
                  {factors.totp.counts ? null : WAITS}
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
  const { asked, open, close, hasChanged } = useAskedRow<Factor, 'remove'>(() =>
    JSON.stringify([factors.passkeys.map(({ passkeyId }) => passkeyId), factors.totp !== null]),
  );
  return (
    <div className="stack">
      <PasskeyForm onUsed={onUsed} />
      {factors.totp === null ? <TotpForm onUsed={onUsed} /> : null}
      <div className="row">
        {factors.passkeys.map(({ passkeyId, label }) => (
          <Button key={passkeyId} size="xs" variant="default" onClick={() => open('remove', { passkeyId, label })}>
            Remove passkey “{label}” …
          </Button>
        ))}
        {factors.totp === null ? null : (
          <Button size="xs" variant="default" onClick={() => open('remove', APP)}>
            Remove the app …
          </Button>
        )}
      </div>
      <ChangedMeanwhile what="What you have as second factors" asked={{ hasChanged, close }} />
      {asked === null ? null : <RemoveDialog factor={asked.row} onUsed={onUsed} onClose={close} />}
    </div>
  );
}

interface Factor {
  /** Null: the app with codes. */
  passkeyId: string | null;
  label: string;
}

const APP: Factor = { passkeyId: null, label: 'the app with codes' };

function RemoveDialog(props: { factor: Factor; onUsed: () => void; onClose: () => void }): ReactNode {
  const { passkeyId, label } = props.factor;
  const { factors, approval } = useSession();
  const isLast = factors.passkeys.length + (factors.totp === null ? 0 : 1) <= 1;
  const remove = useAction(() => (passkeyId === null ? api.removeTotp() : api.removePasskey({ passkeyId })), {
    changes: [SESSION_KEY],
    then: () => {
      props.onClose();
      props.onUsed();
    },
  });
  return (
    <ReasonDialog
      title={isLast ? 'Remove your last second factor?' : 'Remove this second factor?'}
      verb={`Remove ${passkeyId === null ? label : `passkey “${label}”`}`}
      reason="none"
      isDangerous
      action={remove}
      isOpen
      onClose={props.onClose}
    >
      <p style={{ margin: 0 }}>It cannot be shown any more from now on, and does not come back by itself.</p>
      {isLast && approval.needsSecondFactor ? (
        <p style={{ margin: 0 }}>
          The policy asks for a second factor at each approval: without one you approve nothing. To set up another one,
          you need a one-time link from an administrator to sign in with.
        </p>
      ) : null}
      {isLast && !approval.needsSecondFactor ? (
        <p style={{ margin: 0 }}>After that, your sign-in is protected by your password or link alone.</p>
      ) : null}
    </ReasonDialog>
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
  const enrol = useAction(() => api.beginTotp());
  const confirm = useAction((shown: string) => api.confirmTotp({ code: shown }), {
    changes: [SESSION_KEY],
    then: onUsed,
  });
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
