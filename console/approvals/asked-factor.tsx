import type { ReactNode } from 'react';
import type { StepUpSubject } from '../../api/users/second-factor.ts';
import { SecondFactor, wantsSecondFactor } from './second-factor.tsx';

/** Where the server has refused an action for want of a second factor: asks for it, for what the server named. */
export function AskedFactor({ error, onShown }: { error: unknown; onShown: () => void }): ReactNode {
  if (!wantsSecondFactor(error)) return null;
  const subject = error.details?.['subject'] as StepUpSubject | undefined;
  // Shown, the refusal goes away, and the action may be sent again.
  return subject === undefined ? null : <SecondFactor subject={subject} onShown={onShown} />;
}
