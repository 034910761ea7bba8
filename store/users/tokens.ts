import type { Role } from '../../domain/users/role.ts';
import type { TokenScope } from '../../domain/users/token-scope.ts';
import { callAsUser } from '../database/call-as-user.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { TokenHash } from './token-hash.ts';
import { ACCOUNTS_OF_USER } from './users.ts';

/** A user behind a valid token. */
export interface TokenHolder {
  userId: string;
  login: string;
  name: string;
  roles: Role[];
  /** The accounts with the provider that they are limited to; null: they may use all. */
  accounts: string[] | null;
  tokenId: string;
  scopes: TokenScope[];
}

/** A known token that is not valid, and why: for the audit trail, not for the caller. */
export interface InvalidToken {
  tokenId: string;
  userId: string;
  why: 'revoked' | 'expired' | 'idle' | 'disabled';
}

/**
 * The user of the token with this token hash; null for a token that was never issued, and for a session, which comes as a cookie
 * alone. Notes its use, at most once a minute.
 */
export async function findTokenHolder(
  database: Queryable,
  tokenHash: TokenHash,
): Promise<TokenHolder | InvalidToken | null> {
  const { rows } = await database.query<TokenHolder & { why: InvalidToken['why'] | null }>(
    `with token as (
       select token_id, user_id, last_used_at, scopes,
         case when revoked_at is not null then 'revoked'
              when expires_at <= clock_timestamp() then 'expired' end as why
       from api_tokens where stored_hash = sha256($1) and not exists (select from sessions where session_id = token_id)
     ), noted as materialized (
       select note_use($1) from token
       where why is null and (last_used_at is null or last_used_at < clock_timestamp() - interval '1 minute')
     )
     select users.user_id as "userId", coalesce(login, name) as login, name, token_id as "tokenId",
       coalesce(token.why, case when disabled_at is not null then 'disabled' end) as why,
       array(select role from user_roles where user_roles.user_id = users.user_id order by role) as roles,
       ${ACCOUNTS_OF_USER} as accounts, scopes
     from token join users using (user_id) left join noted on true`,
    [tokenHash.bytes],
  );
  const [found] = rows;
  if (found === undefined) return null;
  const { why, ...holder } = found;
  return why === null ? holder : { tokenId: holder.tokenId, userId: holder.userId, why };
}

export interface TokenRecord {
  tokenId: string;
  userId: string;
  login: string | null;
  name: string;
  label: string;
  scopes: TokenScope[];
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

/** All tokens, or one user's. */
export async function listTokens(database: Queryable, userId: string | null): Promise<TokenRecord[]> {
  const { rows } = await database.query<TokenRecord>(
    `select token_id as "tokenId", user_id as "userId", login, name, label, scopes, api_tokens.created_at as "createdAt",
       expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt"
     from api_tokens join users using (user_id)
     where ($1::uuid is null or user_id = $1) and not exists (select from sessions where session_id = token_id)
     order by api_tokens.created_at, token_id`,
    [userId],
  );
  return rows;
}

interface NewToken {
  newTokenHash: TokenHash;
  label: string;
  /** It ends earlier where the database says so: with the token that it is made with, or within a day if it decides. */
  expiresAt: Date;
}

interface StoredToken {
  tokenId: string;
  expiresAt: Date;
  scopes: TokenScope[];
}
type StoredAnswer = Omit<StoredToken, 'expiresAt'> & { expiresAt: string };

function storedToken<T extends StoredAnswer>(answer: T): Omit<T, 'expiresAt'> & { expiresAt: Date } {
  return { ...answer, expiresAt: new Date(answer.expiresAt) };
}

/** Issues a token to the user of `tokenHash`. `newTokenHash` is the new token's, which ends with a token that it was made with. */
export async function issueTokenAs(
  database: Database,
  tokenHash: TokenHash,
  token: NewToken & { scopes: readonly TokenScope[] },
): Promise<StoredToken> {
  const { newTokenHash, label, expiresAt, scopes } = token;
  const values = [tokenHash.bytes, newTokenHash.bytes, label, expiresAt, scopes];
  return storedToken(await callAsUser<StoredAnswer>(database, 'issue_token($1, $2, $3, $4, $5)', values));
}

export async function revokeTokenAs(database: Database, tokenHash: TokenHash, tokenId: string): Promise<void> {
  await callAsUser(database, 'revoke_token($1, $2)', [tokenHash.bytes, tokenId]);
}

/** Exchanges a code for a token. */
export async function redeemInvitation(
  database: Database,
  code: TokenHash,
  token: NewToken,
): Promise<StoredToken & { userId: string }> {
  const values = [code.bytes, token.newTokenHash.bytes, token.label, token.expiresAt];
  return storedToken(
    await callAsUser<StoredAnswer & { userId: string }>(database, 'redeem_invitation($1, $2, $3, $4)', values),
  );
}
