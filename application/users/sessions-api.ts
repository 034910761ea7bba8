import type { PasskeyRegistration, SteppedUp, StepUpSubject, TotpEnrolment } from '../../api/users/second-factor.ts';
import type { PasswordChange, Session, SessionSummary, SignInMethods } from '../../api/users/session.ts';
import type { SignInOrigin } from '../../store/users/sign-ins.ts';
import type { SignIn } from './sign-in.ts';
import type { SignedIn } from './signed-in.ts';

/** A session that was begun, or has another secret from now on: what its cookie is to hold. */
export interface SessionCookie {
  secret: string;
}

export interface BegunSession extends SessionCookie {
  user: SignedIn;
}

/** The site that passkeys are for: the address in the browser, and its name. */
export interface PasskeySite {
  origin: string;
  name: string;
}

/** What leads to the sign-in of the company and back. */
export interface CompanySignInRequest {
  /** Where the company's sign-in sends the browser back to. */
  redirectUri: string;
  /** Null: to sign in. A user: to connect their identity. */
  user: SignedIn | null;
  /** Whether the company is to ask who it is even if they have signed in there before. */
  isAgain: boolean;
}

export interface CompanySignInAnswer {
  /** What `beginCompanySignIn` gave, by which the browser shows that the answer is to its own request. */
  secret: string;
  /** The whole address that the browser was sent back to. */
  url: string;
}

/** Signing in at the console, sessions and second factors, as the server calls them. See `Application`. */
export interface SessionsApplication {
  /** The user of a session's cookie. `isUse`: keeps it from ending for idleness. */
  resumeSession(secret: string, isUse: boolean): Promise<SignIn>;
  signInMethods(): SignInMethods;
  /**
   * `browserSecret` says that the user has signed in here before; from now on `newBrowserSecret` says so, and that one no longer. Throws `unauthenticated`,
   * and `too_many` with `retryAfterSeconds`.
   */
  signInWithPassword(
    given: { login: string; password: string; browserSecret: string | null },
    origin: SignInOrigin,
  ): Promise<BegunSession & { newBrowserSecret: string }>;
  /** The code works once. */
  signInWithLink(code: string, origin: SignInOrigin): Promise<BegunSession>;
  /** The address of the company's sign-in, for this request. Throws `not_found` when none is configured. */
  beginCompanySignIn(request: CompanySignInRequest): Promise<{ url: string; secret: string }>;
  /** Null: the identity was connected with the user who asked for it. Throws `unauthenticated`. */
  finishCompanySignIn(answer: CompanySignInAnswer, origin: SignInOrigin): Promise<BegunSession | null>;
  removeIdentity(user: SignedIn): Promise<void>;
  describeSession(user: SignedIn): Promise<Session>;
  /** Of one user, or of all. */
  listSessions(user: SignedIn, of: { all: boolean }): Promise<SessionSummary[]>;
  /** One's own, or any as an administrator. */
  endSession(user: SignedIn, sessionId: string): Promise<void>;
  setPassword(user: SignedIn, change: PasswordChange): Promise<SessionCookie>;
  beginTotp(user: SignedIn): Promise<TotpEnrolment>;
  confirmTotp(user: SignedIn, code: string): Promise<SessionCookie>;
  removeTotp(user: SignedIn): Promise<void>;
  beginPasskey(user: SignedIn, site: PasskeySite): Promise<Record<string, unknown>>;
  addPasskey(user: SignedIn, passkey: PasskeyRegistration, site: PasskeySite): Promise<SessionCookie>;
  removePasskey(user: SignedIn, passkeyId: string): Promise<void>;
  stepUpWithTotp(user: SignedIn, subject: StepUpSubject, code: string): Promise<SteppedUp & SessionCookie>;
  beginPasskeyStepUp(user: SignedIn, subject: StepUpSubject, site: PasskeySite): Promise<Record<string, unknown>>;
  stepUpWithPasskey(
    user: SignedIn,
    subject: StepUpSubject,
    response: Record<string, unknown>,
    site: PasskeySite,
  ): Promise<SteppedUp & SessionCookie>;
}
