import { type ReactNode, useState } from 'react';
import { SecondFactor } from '../approvals/second-factor.tsx';
import { useSession } from '../shell/session.tsx';

/** Before a change of the sign-in: the second factor, if one has one. It counts for one change. */
export function ChangeGuard({ children }: { children: (onUsed: () => void) => ReactNode }): ReactNode {
  const { factors, mayChangeSignIn } = useSession();
  const [isShown, setShown] = useState(false);
  const hasFactor = factors.totp !== null || factors.passkeys.length > 0;
  if (mayChangeSignIn.until === null) return null;
  if (hasFactor && !mayChangeSignIn.needsNoReauthentication && !isShown) {
    return (
      <div className="stack" style={{ maxWidth: 360 }}>
        <span className="muted">To change something here, show a second factor first.</span>
        <SecondFactor subject={{ kind: 'sign_in' }} onShown={() => setShown(true)} />
      </div>
    );
  }
  return children(() => setShown(false));
}
