import type { StepUpSubject } from '../../api/users/second-factor.ts';
import { readSignInState } from '../../store/users/sessions.ts';
import { Refused } from '../../store/database/call-as-user.ts';
import type { StoredSubject } from '../../store/users/second-factors.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import type { SignedIn } from './signed-in.ts';

export function storedSubject({ userId }: SignedIn, subject: StepUpSubject): StoredSubject {
  return subject.kind === 'sign_in' ? { kind: 'sign_in', id: userId, contentHash: '', decision: 'changed' } : subject;
}

/**
 * Where the database asks for a second factor first, the error says for what, and which ones the user has. `subject`: null where
 * the database says it.
 */
export async function sayingWhichFactor<T>(
  { database }: ApplicationDependencies,
  { tokenId }: SignedIn,
  subject: StepUpSubject | null,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Refused && error.code === 'second_factor_needed')) throw error;
    const { totp, passkeys } = await readSignInState(database, tokenId);
    const factors = [...(totp === null ? [] : ['totp']), ...(passkeys.length === 0 ? [] : ['passkey'])];
    const message =
      factors.length === 0
        ? `${error.message}; you have none yet: set one up under your sign-in, after a one-time link of an administrator`
        : error.message;
    throw new ApplicationError('second_factor_needed', message, {
      cause: error,
      details: { subject: error.facts['subject'] ?? subject, factors },
    });
  }
}
