import type { StepUpSubject } from '../../api/users/second-factor.ts';
import type { StoredSubject } from '../../store/users/second-factors.ts';
import type { SignedIn } from './signed-in.ts';

export function storedSubject({ userId }: SignedIn, subject: StepUpSubject): StoredSubject {
  if (subject.kind === 'session') return { kind: 'session', id: userId, contentHash: '', decision: 'signed_in' };
  return subject.kind === 'sign_in' ? { kind: 'sign_in', id: userId, contentHash: '', decision: 'changed' } : subject;
}
