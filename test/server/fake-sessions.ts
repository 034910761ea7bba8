import type { StepUpSubject } from '../../api/users/second-factor.ts';
import type { Session, SessionSummary, SignInMethods } from '../../api/users/session.ts';
import type { BegunSession } from '../../application/users/console-sessions.ts';
import type { SessionsApplication } from '../../application/users/session-use-cases.ts';
import type { SignIn } from '../../application/users/sign-in.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import { TokenHash } from '../../store/users/token-hash.ts';

const WHEN = '2026-01-05T09:00:00.000Z';

/** Sessions over plain memory: enough for what the server itself decides. The rest is tested with the database. */
export class FakeSessions implements SessionsApplication {
  /** By the secret in their cookie. */
  readonly sessions = new Map<string, SignedIn>();
  /** Secrets whose use was noted. */
  readonly used: string[] = [];
  readonly ended: string[] = [];
  /** What was entered to sign in. */
  readonly signIns: Parameters<SessionsApplication['signInWithPassword']>[0][] = [];
  readonly stepUps: { subject: StepUpSubject; code: string }[] = [];
  listedSessions: SessionSummary[] = [];

  /** A session of the user; its secret. */
  aSession(user: SignedIn, secret = `session-of-${user.login}`): string {
    const tokenId = `session-${this.sessions.size}`;
    this.sessions.set(secret, { ...user, tokenId, tokenHash: TokenHash.of(secret), isSession: true });
    return secret;
  }

  resumeSession(secret: string, isUse: boolean): Promise<SignIn> {
    const user = this.sessions.get(secret);
    if (user === undefined) return Promise.resolve({ kind: 'refused', known: null });
    if (isUse) this.used.push(secret);
    return Promise.resolve({ kind: 'signed_in', user });
  }

  signInMethods(): Promise<SignInMethods> {
    return Promise.resolve({ password: { minLength: 12, maxLength: 200 }, oidc: null });
  }

  signInWithPassword(
    given: Parameters<SessionsApplication['signInWithPassword']>[0],
  ): Promise<BegunSession & { newBrowserSecret: string }> {
    this.signIns.push(given);
    return this.#begin();
  }

  signInWithLink(): Promise<BegunSession> {
    return this.#begin();
  }

  #begin(): Promise<BegunSession & { newBrowserSecret: string }> {
    const [first] = this.sessions;
    if (first === undefined) throw new Error('the test has no session');
    const [secret, user] = first;
    return Promise.resolve({ secret, user, newBrowserSecret: 'browser' });
  }

  describeSession(user: SignedIn): Promise<Session> {
    return Promise.resolve({
      sessionId: user.tokenId,
      method: user.isSession === true ? 'password' : 'token',
      user: { userId: user.userId, login: user.login, name: user.name },
      awaitsSecondFactor: false,
      roles: [...user.roles],
      permissions: [],
      accounts: null,
      usableAccounts: ['default'],
      timeZone: 'UTC',
      signedInAt: WHEN,
      endsAt: null,
      idleSeconds: null,
      hasPassword: true,
      hasIdentity: false,
      factors: { totp: null, passkeys: [] },
      mayChangeSignIn: { until: null, needsNoReauthentication: false },
      approval: { needsSecondFactor: false },
    });
  }

  listSessions({ userId }: SignedIn, { all }: { all: boolean }): Promise<SessionSummary[]> {
    return Promise.resolve(this.listedSessions.filter((each) => all || each.userId === userId));
  }

  endSession(_user: SignedIn, sessionId: string): Promise<void> {
    this.ended.push(sessionId);
    return Promise.resolve();
  }

  setPassword = () => Promise.resolve({ secret: 'rotated' });
  beginTotp = () => Promise.resolve({ secret: 'ABCD', uri: 'otpauth://totp/payrun' });
  confirmTotp = () => Promise.resolve({ secret: 'rotated' });
  removeTotp = () => Promise.resolve();
  beginPasskey = () => Promise.resolve({ challenge: 'x' });
  addPasskey = () => Promise.resolve({ secret: 'rotated' });
  removePasskey = () => Promise.resolve();
  stepUpWithTotp = (_user: SignedIn, subject: StepUpSubject, code: string) => {
    this.stepUps.push({ subject, code });
    return Promise.resolve({ validUntil: WHEN, secret: 'rotated' });
  };
  beginPasskeyStepUp = () => Promise.resolve({ challenge: 'x' });
  stepUpWithPasskey = () => Promise.resolve({ validUntil: WHEN, secret: 'rotated' });
  beginCompanySignIn = () => Promise.resolve({ url: 'https://login.example.com/', secret: 'x' });
  finishCompanySignIn = () => Promise.resolve(null);
  removeIdentity = () => Promise.resolve();
}
