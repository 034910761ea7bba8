import type { StepUpSubject } from '../../api/users/second-factor.ts';
import type { PayrunApiError } from '../../client/sdk/errors.ts';

/** For what the server asks for a second factor, and whoever waits until it is shown. */
export interface AskedFactor {
  subject: StepUpSubject;
  /** Whether it was shown. */
  end: (isShown: boolean) => void;
}

const listeners = new Set<(asked: AskedFactor) => void>();

/** Tells whoever shows the dialog. Returns what ends it. */
export function onFactorAsked(listener: (asked: AskedFactor) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Asks for the second factor that a change takes. False: it is for another decision, which asks in its own dialog, nobody can be
 * asked, or none was shown.
 */
export function askForFactor({ code, details }: PayrunApiError): Promise<boolean> {
  const subject = details?.['subject'] as StepUpSubject | undefined;
  const [listener] = listeners;
  if (code !== 'second_factor_needed' || subject?.kind !== 'change' || listener === undefined)
    return Promise.resolve(false);
  return new Promise((end) => {
    listener({ subject, end });
  });
}
