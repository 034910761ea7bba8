import { callAsUser } from '../database/call-as-user.ts';
import type { Database } from '../database/database.ts';
import type { TokenHash } from './token-hash.ts';

/** Signing in at the console. All throw `Refused`. */

/** Where somebody signs in from, for the list of their sessions. */
export interface SignInOrigin {
  browser: string | null;
  address: string | null;
}

interface NewSession {
  sessionId: string;
  userId: string;
}

/** Whether the policy takes passwords, beside the sign-in of the company. */
export async function takesPasswords(database: Database): Promise<boolean> {
  const { rows } = await database.query<{ takes: boolean }>('select refuse_password() is null as takes');
  return rows[0]?.takes === true;
}

/** Whether the user of the login has signed in at this browser. Counts no try. */
export async function isKnownBrowser(database: Database, login: string, browser: TokenHash): Promise<boolean> {
  const { rows } = await database.query<{ known: boolean }>('select is_known_browser($1, $2) as known', [
    login,
    browser.bytes,
  ]);
  return rows[0]?.known === true;
}

/** @throws Refused `too_many` with `retryAfterSeconds`. The salt is of 16 bytes, in hex; of an unknown login it is another's. */
export function beginPasswordSignIn(
  database: Database,
  login: string,
  browser: TokenHash | null,
): Promise<{ tryId: string; salt: string }> {
  return callAsUser(database, 'begin_password_sign_in($1, $2)', [login, browser?.bytes ?? null]);
}

/** @throws Refused `unauthenticated`, with the `userId` if the login is known */
export function signInWithPassword(
  database: Database,
  request: { tryId: string; key: Buffer; newTokenHash: TokenHash; browserHash: TokenHash },
  { browser, address }: SignInOrigin,
): Promise<NewSession & Record<string, unknown>> {
  const { tryId, key, newTokenHash, browserHash } = request;
  const values = [tryId, key, newTokenHash.bytes, browserHash.bytes, browser, address];
  return callAsUser(database, 'sign_in_with_password($1, $2, $3, $4, $5, $6)', values);
}

export function signInWithLink(
  database: Database,
  code: TokenHash,
  newTokenHash: TokenHash,
  { browser, address }: SignInOrigin,
): Promise<NewSession & Record<string, unknown>> {
  return callAsUser(database, 'sign_in_with_link($1, $2, $3, $4)', [code.bytes, newTokenHash.bytes, browser, address]);
}

/** The user who is connected with the identity signs in; `connected`: the identity was connected with a user instead. */
export function signInWithIdToken(
  database: Database,
  request: { idToken: string; request: Buffer; newTokenHash: TokenHash },
  { browser, address }: SignInOrigin,
): Promise<Partial<NewSession> & { connected?: true } & Record<string, unknown>> {
  const values = [request.idToken, request.request, request.newTokenHash.bytes, browser, address];
  return callAsUser(database, 'sign_in_with_id_token($1, $2, $3, $4, $5)', values);
}

/** `salt` null: the user has no password. */
export function beginPasswordChangeAs(
  database: Database,
  tokenHash: TokenHash,
): Promise<{ tryId?: string; salt: string | null } & Record<string, unknown>> {
  return callAsUser(database, 'begin_password_change($1)', [tokenHash.bytes]);
}

export async function setPasswordAs(
  database: Database,
  tokenHash: TokenHash,
  change: { tryId: string | null; presentKey: Buffer | null; salt: Buffer; key: Buffer; newTokenHash: TokenHash },
): Promise<void> {
  const { tryId, presentKey, salt, key, newTokenHash } = change;
  const values = [tokenHash.bytes, tryId, presentKey, salt, key, newTokenHash.bytes];
  await callAsUser(database, 'set_password($1, $2, $3, $4, $5, $6)', values);
}

export async function beginIdentityLinkAs(
  database: Database,
  tokenHash: TokenHash,
  requestHash: Buffer,
): Promise<void> {
  await callAsUser(database, 'begin_identity_link($1, $2)', [tokenHash.bytes, requestHash]);
}

export async function removeIdentityAs(database: Database, tokenHash: TokenHash): Promise<void> {
  await callAsUser(database, 'remove_identity($1)', [tokenHash.bytes]);
}
