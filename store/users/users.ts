import type { Role } from '../../domain/users/role.ts';
import type { BegunChange, Proposed } from '../approvals/changes.ts';
import { callAsUser } from '../database/call-as-user.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { TokenHash } from './token-hash.ts';

export interface UserRecord {
  userId: string;
  login: string | null;
  name: string;
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
    `select users.user_id as "userId", login, name, disabled_at as "disabledAt", created_at as "createdAt",
       array(select role from user_roles where user_roles.user_id = users.user_id order by role) as roles,
       array(select jsonb_array_elements_text(detail -> 'roles') from changes
         where changes.user_id = users.user_id and kind = 'grant_roles' and state = 'pending') as "pendingRoles",
       ${ACCOUNTS_OF_USER} as accounts,
       (select max(last_used_at) from api_tokens where api_tokens.user_id = users.user_id) as "lastUsedAt"
     from users order by login, user_id`,
  );
  return rows;
}

/** Adds a user, with a code if one is given; `invited.change`: what must be in effect before there is one. */
export function addUserAs(
  database: Database,
  tokenHash: TokenHash,
  user: { login: string; name: string; roles: readonly string[] },
  code: { codeHash: Buffer; expiresAt: Date } | null = null,
): Promise<{ userId: string; change: BegunChange | null; invited?: { change?: BegunChange } }> {
  return callAsUser(database, 'add_user($1, $2, $3, $4, $5, $6)', [
    ...[tokenHash.bytes, user.login, user.name, user.roles],
    ...[code?.codeHash ?? null, code?.expiresAt ?? null],
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
  invitation: { userId: string; codeHash: Buffer; expiresAt: Date },
): Promise<{ invited?: true; change?: BegunChange }> {
  const { userId, codeHash, expiresAt } = invitation;
  return callAsUser(database, 'invite_user($1, $2, $3, $4)', [tokenHash.bytes, userId, codeHash, expiresAt]);
}
