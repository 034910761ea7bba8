import type { StepUpSubject, SteppedUp, TotpEnrolment } from '../../api/users/second-factor.ts';
import type { IdentityLink, PasswordChange, SessionSummary, SignInMethods } from '../../api/users/session.ts';
import { call } from './call.ts';

export function showCode(subject: StepUpSubject, code: string): Promise<SteppedUp> {
  return call<SteppedUp>({ method: 'POST', path: '/session/step-up/totp', body: { subject, code } });
}

/** The browser signs what is decided; its part of the work is loaded when it is needed. */
export async function showPasskey(subject: StepUpSubject): Promise<SteppedUp> {
  const { options } = await call<{ options: never }>({
    method: 'POST',
    path: '/session/step-up/passkey-options',
    body: { subject },
  });
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const response = await startAuthentication({ optionsJSON: options });
  return call<SteppedUp>({ method: 'POST', path: '/session/step-up/passkey', body: { subject, response } });
}

/** How people can sign in here: it is asked before anybody has. */
export function readSignInMethods(signal: AbortSignal): Promise<SignInMethods> {
  return call<SignInMethods>({ path: '/session/methods', signal });
}

/** One's own, or those of all users that the server shows. */
export async function listSessions(whose: 'own' | 'all', signal: AbortSignal): Promise<SessionSummary[]> {
  const query = { own: String(whose === 'own') };
  return (await call<{ sessions: SessionSummary[] }>({ path: '/sessions', query, signal })).sessions;
}

/** The one of this browser. */
export function endOwnSession(): Promise<unknown> {
  return call({ method: 'DELETE', path: '/session' });
}

export function endSession(sessionId: string): Promise<unknown> {
  return call({ method: 'DELETE', path: `/sessions/${sessionId}` });
}

export function changePassword(body: PasswordChange): Promise<unknown> {
  return call({ method: 'POST', path: '/session/password', body });
}

export function enrolTotp(): Promise<TotpEnrolment> {
  return call<TotpEnrolment>({ method: 'POST', path: '/session/totp' });
}

export function confirmTotp(code: string): Promise<unknown> {
  return call({ method: 'POST', path: '/session/totp/confirm', body: { code } });
}

export function removeTotp(): Promise<unknown> {
  return call({ method: 'DELETE', path: '/session/totp' });
}

export async function registerPasskey(label: string): Promise<unknown> {
  const { options } = await call<{ options: never }>({ method: 'POST', path: '/session/passkeys/options' });
  const { startRegistration } = await import('@simplewebauthn/browser');
  const response = await startRegistration({ optionsJSON: options });
  return call({ method: 'POST', path: '/session/passkeys', body: { label, response } });
}

export function removePasskey(passkeyId: string): Promise<unknown> {
  return call({ method: 'DELETE', path: `/session/passkeys/${passkeyId}` });
}

/** The address to go to: there one signs in, and is led back. */
export function connectIdentity(): Promise<IdentityLink> {
  return call<IdentityLink>({ method: 'POST', path: '/session/identity' });
}

export function removeIdentity(): Promise<unknown> {
  return call({ method: 'DELETE', path: '/session/identity' });
}
