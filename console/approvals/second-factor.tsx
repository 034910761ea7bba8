import { Button, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type SubmitEvent, type ReactNode, useState } from 'react';
import type { StepUpSubject } from '../../api/users/second-factor.ts';
import { PayrunApiError } from '../../client/sdk/errors.ts';
import { api } from '../calls/api.ts';
import { useStillOpen } from '../elements/dialog.tsx';
import { Failed, Notice } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useSession } from '../shell/session.tsx';
import { showPasskey } from '../users/passkeys.ts';

/** Whether the server would do it once a second factor was shown. */
export function wantsSecondFactor(error: unknown): error is PayrunApiError {
  return error instanceof PayrunApiError && error.code === 'second_factor_needed';
}

/**
 * Whether a decision with this outcome so far needs a factor first: where the policy asks for one and none was shown yet, and
 * where the server asks again, as one that was shown counts for some minutes only.
 */
export function useFactorNeeded(isAsked: boolean, error: unknown): { isNeeded: boolean; onShown: () => void } {
  const { approval } = useSession();
  // The refusal that the shown factor answers: a later one asks for another.
  const [answered, setAnswered] = useState<{ refusal: unknown } | null>(null);
  const refusal = wantsSecondFactor(error) ? error : null;
  const isNeeded =
    isAsked && (refusal === null ? approval.needsSecondFactor && answered === null : answered?.refusal !== refusal);
  return { isNeeded, onShown: () => setAnswered({ refusal }) };
}

/** Asks for the second factor for exactly one decision: it counts for no other. */
export function SecondFactor({ subject, onShown }: { subject: StepUpSubject; onShown: () => void }): ReactNode {
  const { factors } = useSession();
  const isStillOpen = useStillOpen();
  const passkey = useAction(() => showPasskey(subject), { then: () => isStillOpen() && onShown() });
  const hasPasskey = factors.passkeys.length > 0;
  if (!hasPasskey && factors.totp === null) {
    return (
      <Notice tone="failed" title="A second factor is needed, and you have none">
        Set one up under <Link to="/account">sign-in and sessions</Link>, then come back.
      </Notice>
    );
  }
  return (
    <div className="stack">
      {hasPasskey ? (
        <Button
          leftSection={<IconFingerprint size={18} />}
          loading={passkey.isRunning}
          onClick={() => passkey.do(undefined)}
        >
          Confirm with your passkey
        </Button>
      ) : null}
      {passkey.error === null ? null : <Failed error={passkey.error} />}
      {factors.totp === null ? null : <CodeForm subject={subject} onShown={onShown} />}
    </div>
  );
}

function CodeForm({ subject, onShown }: { subject: StepUpSubject; onShown: () => void }): ReactNode {
  const [code, setCode] = useState('');
  const isStillOpen = useStillOpen();
  const show = useAction((given: string) => api.stepUpWithTotp({ subject, code: given }), {
    then: () => isStillOpen() && onShown(),
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    show.do(code.trim());
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        label="Code of your app"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        data-autofocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      {show.error === null ? null : <Failed error={show.error} />}
      <div>
        <Button type="submit" loading={show.isRunning} disabled={!/^\d{6}$/.test(code.trim())}>
          Confirm
        </Button>
      </div>
    </form>
  );
}
