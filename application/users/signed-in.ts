import { type Actor, mayAny, type PersonalRead } from '../../domain/users/role.ts';
import type { TokenScope } from '../../domain/users/token-scope.ts';
import type { TokenHash } from '../../store/users/token-hash.ts';

/** The user of a request, with the token hash by which the database authorizes them. */
export interface SignedIn extends Actor {
  login: string;
  name: string;
  /** The accounts with the provider that they are limited to; null: they may use all. */
  accounts: readonly string[] | null;
  tokenId: string;
  tokenHash: TokenHash;
  /** What the token may be used for, of all that the roles permit; a session has all scopes. */
  scopes: readonly TokenScope[];
  /** By a session of the console, not by a token. */
  isSession?: boolean;
  /** Whether the session awaits the second factor of its sign-in, and does nothing else until then. */
  awaitsFactor?: boolean;
  /** By the endpoint that is called: what its answer may show of personal data, which is in the audit trail. Absent: by the roles. */
  reads?: readonly PersonalRead[];
}

/** Whether the user may see such personal data in the answer to what they ask for. */
export function mayRead({ roles, reads }: Pick<SignedIn, 'roles' | 'reads'>, permission: PersonalRead): boolean {
  // guard: read-as-declared
  if (reads !== undefined && !reads.includes(permission)) return false;
  return mayAny(roles, permission);
}

/** The accounts that a user sees of those that they ask for; null: all. */
export function accountsOf(user: Pick<SignedIn, 'accounts'>, account: string | null): readonly string[] | null {
  if (account === null) return user.accounts;
  return mayUse(user, account) ? [account] : [];
}

/** Whether a user may use an account with the provider. */
export function mayUse({ accounts }: Pick<SignedIn, 'accounts'>, account: string): boolean {
  return accounts === null || accounts.includes(account);
}

/** Whether a user manages all users: their tokens and sessions, and what they are. An administrator who is limited does not. */
export function managesUsers({ roles, accounts }: Pick<SignedIn, 'roles' | 'accounts'>): boolean {
  // guard: limited-administrators-read
  return mayAny(roles, 'manage_users') && accounts === null;
}
