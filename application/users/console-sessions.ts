import { randomBytes } from 'node:crypto';
import {
  PASSWORD_LENGTHS,
  type PasswordChange,
  type Session,
  type SessionSummary,
  type SignInMethods,
} from '../../api/users/session.ts';
import { networkOf } from '../address-network.ts';
import { mayAny, type Permission, PERMISSIONS } from '../../domain/users/role.ts';
import { scopeOf } from '../../domain/users/token-scope.ts';
import { readTimeZone } from '../../store/approvals/local-days.ts';
import { readSecondFactorNeed } from '../../store/approvals/policy.ts';
import {
  endSessionAs,
  findSessionHolder,
  listSessions as listStoredSessions,
  readSignInState,
} from '../../store/users/sessions.ts';
import {
  beginPasswordChangeAs,
  beginPasswordSignIn,
  isKnownBrowser,
  setPasswordAs,
  type SignInOrigin,
  signInWithLink as storeLinkSignIn,
  signInWithPassword as storePasswordSignIn,
  takesPasswords,
} from '../../store/users/sign-ins.ts';
import { newSessionSecret, TokenHash } from '../../store/users/token-hash.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { asApplicationError } from '../as-application-error.ts';
import { iso } from '../iso-time.ts';
import { KNOWN, passwordKey, STRANGERS } from './password-hashing.ts';
import { refuseGuessablePassword } from './password-strength.ts';
import type { SignIn } from './sign-in.ts';
import { mayUse, type SignedIn } from './signed-in.ts';

/** A session that was begun, or has another secret from now on: what its cookie is to hold. */
export interface SessionCookie {
  secret: string;
}

export interface BegunSession extends SessionCookie {
  user: SignedIn;
}

/** How long after one has signed in one may change how; the database enforces it. */
export const RECENT_MS = 15 * 60_000;
const SALT_BYTES = 16;

export async function resumeSession(
  { database }: ApplicationDependencies,
  secret: string,
  isUse: boolean,
): Promise<SignIn> {
  const tokenHash = TokenHash.of(secret);
  const holder = await findSessionHolder(database, tokenHash, isUse);
  if (holder === null) return { kind: 'refused', known: null };
  if ('why' in holder) return { kind: 'refused', known: holder };
  return { kind: 'signed_in', user: { ...holder, tokenHash, isSession: true } };
}

export async function signInMethods({ database, companySignIn }: ApplicationDependencies): Promise<SignInMethods> {
  return {
    password: (await takesPasswords(database)) ? PASSWORD_LENGTHS : null,
    oidc: companySignIn === undefined || companySignIn === null ? null : { name: companySignIn.name },
  };
}

interface GivenPassword {
  login: string;
  password: string;
  browserSecret: string | null;
}

/** @throws ApplicationError `unavailable` when too many are signing in; that counts as no try */
export async function signInWithPassword(
  dependencies: ApplicationDependencies,
  given: GivenPassword,
  origin: SignInOrigin,
): Promise<BegunSession & { newBrowserSecret: string }> {
  const { database } = dependencies;
  const { login, browserSecret } = given;
  const browser = browserSecret === null ? null : TokenHash.of(browserSecret);
  const isKnown = browser !== null && (await isKnownBrowser(database, login, browser));
  const places = isKnown ? KNOWN : STRANGERS;
  const whose = isKnown ? browser.bytes.toString('hex') : networkOf(origin.address ?? '');
  return places.within(whose, async () => {
    const { tryId, salt } = await asApplicationError(beginPasswordSignIn(database, login, browser));
    const key = await passwordKey(given.password, Buffer.from(salt, 'hex'));
    const secret = newSessionSecret();
    // A new one each time: what somebody has copied, or planted, is soon of no use.
    const newBrowserSecret = newSessionSecret();
    const request = { tryId, key, newTokenHash: TokenHash.of(secret), browserHash: TokenHash.of(newBrowserSecret) };
    await asApplicationError(storePasswordSignIn(database, request, origin));
    return { secret, newBrowserSecret, user: await userOfNew(dependencies, secret) };
  });
}

export async function signInWithLink(
  dependencies: ApplicationDependencies,
  code: string,
  origin: SignInOrigin,
): Promise<BegunSession> {
  const secret = newSessionSecret();
  await asApplicationError(storeLinkSignIn(dependencies.database, TokenHash.of(code), TokenHash.of(secret), origin));
  return { secret, user: await userOfNew(dependencies, secret) };
}

/** The user of a session that was just begun. It may have ended since, for example if they were disabled. */
export async function userOfNew(dependencies: ApplicationDependencies, secret: string): Promise<SignedIn> {
  const found = await resumeSession(dependencies, secret, true);
  if (found.kind === 'refused') throw new ApplicationError('unauthenticated', 'the session has ended: sign in again');
  return found.user;
}

export async function describeSession(dependencies: ApplicationDependencies, user: SignedIn): Promise<Session> {
  const state = await readSignInState(dependencies.database, user.tokenId);
  const { approvals } = await readSecondFactorNeed(dependencies.database);
  const { authenticatedAt } = state;
  const recentUntil = authenticatedAt === null ? null : authenticatedAt.getTime() + RECENT_MS;
  const isRecent = recentUntil !== null && recentUntil > dependencies.now();
  return {
    sessionId: user.tokenId,
    method: state.method ?? 'token',
    user: { userId: user.userId, login: user.login, name: user.name },
    roles: [...user.roles],
    awaitsSecondFactor: user.awaitsFactor === true,
    permissions: user.awaitsFactor === true ? [] : permissionsOf(user),
    accounts: user.accounts === null ? null : [...user.accounts],
    usableAccounts: dependencies.accounts.map(({ name }) => name).filter((name) => mayUse(user, name)),
    timeZone: await readTimeZone(dependencies.database, null),
    signedInAt: state.signedInAt.toISOString(),
    endsAt: iso(state.endsAt),
    idleSeconds: state.idleSeconds,
    hasPassword: state.hasPassword,
    hasIdentity: state.hasIdentity,
    factors: {
      totp: state.totp && {
        createdAt: isoOf(state.totp.createdAt),
        lastUsedAt: isoOrNull(state.totp.lastUsedAt),
        counts: state.totp.counts,
      },
      passkeys: state.passkeys.map(({ createdAt, lastUsedAt, ...passkey }) => ({
        ...passkey,
        createdAt: isoOf(createdAt),
        lastUsedAt: isoOrNull(lastUsedAt),
      })),
    },
    mayChangeSignIn: {
      until: isRecent ? new Date(recentUntil).toISOString() : null,
      needsNoReauthentication: state.method === 'link' && isRecent,
    },
    approval: { needsSecondFactor: approvals },
  };
}

/** What the user may do by this session or token. */
const permissionsOf = ({ roles, scopes }: SignedIn): Permission[] =>
  PERMISSIONS.filter((permission) => mayAny(roles, permission) && scopes.includes(scopeOf(permission)));

/** Postgres writes times within JSON with the zone of the connection. */
const isoOf = (text: string): string => new Date(text).toISOString();
const isoOrNull = (text: string | null): string | null => (text === null ? null : isoOf(text));

export async function listSessions(
  { database }: ApplicationDependencies,
  user: SignedIn,
  { all }: { all: boolean },
): Promise<SessionSummary[]> {
  const sessions = await listStoredSessions(database, all ? null : user.userId);
  return sessions.map(({ createdAt, lastUsedAt, endsAt, endedAt, ...session }) => ({
    ...session,
    createdAt: createdAt.toISOString(),
    lastUsedAt: iso(lastUsedAt),
    endsAt: endsAt.toISOString(),
    endedAt: iso(endedAt),
    isThis: session.sessionId === user.tokenId,
  }));
}

export function endSession({ database }: ApplicationDependencies, user: SignedIn, sessionId: string): Promise<void> {
  return asApplicationError(endSessionAs(database, user.tokenHash, sessionId));
}

/** Ends all other sessions of the user; this one gets another cookie. */
export function setPassword(
  { database }: ApplicationDependencies,
  user: SignedIn,
  { present, password }: PasswordChange,
): Promise<SessionCookie> {
  return KNOWN.within(user.userId, async () => {
    await refuseGuessablePassword(user, password);
    const begun = present === null ? null : await asApplicationError(beginPasswordChangeAs(database, user.tokenHash));
    const presentKey =
      present === null || typeof begun?.salt !== 'string'
        ? null
        : await passwordKey(present, Buffer.from(begun.salt, 'hex'));
    const salt = randomBytes(SALT_BYTES);
    const key = await passwordKey(password, salt);
    const secret = newSessionSecret();
    const change = { tryId: begun?.tryId ?? null, presentKey, salt, key, newTokenHash: TokenHash.of(secret) };
    await asApplicationError(setPasswordAs(database, user.tokenHash, change));
    return { secret };
  });
}
