import type { Role } from '../../domain/users/role.ts';
import type { BegunChange, Proposed } from '../approvals/changes.ts';
import { callAsUser, type FunctionAnswer } from '../database/call-as-user.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { TokenHash } from './token-hash.ts';

export interface UserRecord {
  userId: string;
  login: string | null;
  name: string;
  /** Where codes to sign in go, if servers send mails. */
  mail: string | null;
  roles: Role[];
  /** Roles that a second administrator must confirm. */
  pendingRoles: Role[];
  /** The accounts with the provider that they are limited to; null: they may use all. */
  accounts: string[] | null;
  disabledAt: Date | null;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** Of the user in `users`: the accounts that they are limited to; null: they may use all. */
export const ACCOUNTS_OF_USER = `(select array_agg(account order by account) from user_accounts
  where user_accounts.user_id = users.user_id)`;

export async function listUsers(database: Queryable): Promise<UserRecord[]> {
  const { rows } = await database.query<UserRecord>(
    `select users.user_id as "userId", login, name, mail, disabled_at as "disabledAt", created_at as "createdAt",
       array(select role from user_roles where user_roles.user_id = users.user_id order by role) as roles,
       array(select jsonb_array_elements_text(detail -> 'roles') from changes
         where changes.user_id = users.user_id and kind = 'grant_roles' and state = 'pending') as "pendingRoles",
       ${ACCOUNTS_OF_USER} as accounts,
       (select max(last_used_at) from api_tokens where api_tokens.user_id = users.user_id) as "lastUsedAt"
     from users order by login, user_id`,
  );
  return rows;
}

/** The code of an invitation, as the database has it. `byMail`: refused without an address of the user. */
export interface NewCode {
  codeHash: Buffer;
  expiresAt: Date;
  byMail?: boolean;
}

/** `mail`: the address that the user had when the code was made. */
export interface Invited extends FunctionAnswer {
  mail?: string | null;
  change?: BegunChange;
}

/** Adds a user, with a code if one is given; `invited.change`: what must be in effect before there is one. */
export function addUserAs(
  database: Database,
  tokenHash: TokenHash,
  user: { login: string; name: string; roles: readonly string[]; mail?: string | null },
  code: NewCode | null = null,
): Promise<{ userId: string; change: BegunChange | null; invited?: Invited }> {
  return callAsUser(database, 'add_user($1, $2, $3, $4, $5, $6, $7, $8)', [
    ...[tokenHash.bytes, user.login, user.name, user.roles, user.mail ?? null],
    ...[code?.codeHash ?? null, code?.expiresAt ?? null, code?.byMail ?? false],
  ]);
}

export function removeRoleAs(
  database: Database,
  tokenHash: TokenHash,
  userId: string,
  role: string,
): Promise<Proposed> {
  return callAsUser(database, 'remove_role($1, $2, $3)', [tokenHash.bytes, userId, role]);
}

export function disableUserAs(database: Database, tokenHash: TokenHash, userId: string): Promise<Proposed> {
  return callAsUser(database, 'disable_user($1, $2)', [tokenHash.bytes, userId]);
}

/**
 * Limits a user to these accounts; null: gives them all. `change`: a second administrator must confirm what is given to a
 * user who decides on something. @throws Refused
 */
export function limitUserAs(
  database: Database,
  tokenHash: TokenHash,
  userId: string,
  accounts: readonly string[] | null,
): Promise<Proposed> {
  return callAsUser(database, 'limit_user($1, $2, $3)', [tokenHash.bytes, userId, accounts]);
}

/** `change`: a second administrator must confirm it first; then call again. */
export function inviteUserAs(
  database: Database,
  tokenHash: TokenHash,
  { userId, codeHash, expiresAt, byMail = false }: { userId: string } & NewCode,
): Promise<Invited> {
  return callAsUser(database, 'invite_user($1, $2, $3, $4, $5)', [
    ...[tokenHash.bytes, userId, codeHash, expiresAt, byMail],
  ]);
}

/** A code that was not sent works no more. */
export async function endUnsentCode(database: Queryable, code: TokenHash): Promise<void> {
  await database.query('select end_unsent_code($1)', [code.bytes]);
}
