import { type ReactNode, useEffect, useState } from 'react';
import { type AskedFactor, onFactorAsked } from '../calls/second-factor-asked.ts';
import { Dialog } from '../elements/dialog.tsx';
import { SecondFactor } from './second-factor.tsx';

/** Asks for the second factor of a change, whichever page makes it: users, policy, provider, endpoints, stops. */
export function FactorDialog(): ReactNode {
  const [asked, setAsked] = useState<AskedFactor | null>(null);
  useEffect(() => onFactorAsked(setAsked), []);
  const end = (isShown: boolean): void => {
    asked?.end(isShown);
    setAsked(null);
  };
  return (
    <Dialog title="Confirm with your second factor" isOpen={asked !== null} onClose={() => end(false)}>
      {asked === null ? null : <SecondFactor subject={asked.subject} onShown={() => end(true)} />}
    </Dialog>
  );
}
