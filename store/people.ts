import type { Role } from '../domain/role.ts';
import type { Database, Queryable } from './database.ts';

export interface TokenRecord {
  tokenId: string;
  userId: string;
  name: string;
  role: Role;
  label: string;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

/** The person of that name, made with this role on first mention. Null when they exist with another role. */
export async function findOrAddPerson(database: Queryable, name: string, role: Role): Promise<string | null> {
  const { rows } = await database.query<{ user_id: string; role: Role }>(
    `insert into people (name, role) values ($1, $2)
     on conflict (name) do update set name = excluded.name
     returning user_id, role`,
    [name, role],
  );
  const person = rows[0];
  return person?.role === role ? person.user_id : null;
}

export async function addToken(
  database: Queryable,
  token: { userId: string; tokenHash: Buffer; label: string; expiresAt: Date | null },
): Promise<string> {
  const { rows } = await database.query<{ token_id: string }>(
    'insert into api_tokens (user_id, token_hash, label, expires_at) values ($1, $2, $3, $4) returning token_id',
    [token.userId, token.tokenHash, token.label, token.expiresAt],
  );
  const added = rows[0];
  if (added === undefined) throw new Error('a token was not stored');
  return added.token_id;
}

/** The person behind a token's hash, if it is valid now. Notes its use, at most once a minute. */
export async function personOfToken(
  database: Queryable,
  tokenHash: Buffer,
): Promise<{ userId: string; name: string; role: Role } | null> {
  const { rows } = await database.query<{ user_id: string; name: string; role: Role }>(
    `with token as (
       select token_id, user_id, last_used_at from api_tokens
       where token_hash = $1 and revoked_at is null and (expires_at is null or expires_at > now())
     ), noted as (
       update api_tokens set last_used_at = now() from token
       where api_tokens.token_id = token.token_id
         and (token.last_used_at is null or token.last_used_at < now() - interval '1 minute')
     )
     select people.user_id, people.name, people.role from token join people using (user_id)`,
    [tokenHash],
  );
  const person = rows[0];
  return person === undefined ? null : { userId: person.user_id, name: person.name, role: person.role };
}

export async function listTokens(database: Queryable): Promise<TokenRecord[]> {
  const { rows } = await database.query<{
    token_id: string;
    user_id: string;
    name: string;
    role: Role;
    label: string;
    created_at: Date;
    expires_at: Date | null;
    revoked_at: Date | null;
    last_used_at: Date | null;
  }>(
    `select token_id, user_id, name, role, label, api_tokens.created_at, expires_at, revoked_at, last_used_at
     from api_tokens join people using (user_id) order by api_tokens.created_at, token_id`,
  );
  return rows.map((row) => ({
    tokenId: row.token_id,
    userId: row.user_id,
    name: row.name,
    role: row.role,
    label: row.label,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  }));
}

/** False when there is no such token, or it is revoked already. */
export async function revokeToken(database: Database, tokenId: string): Promise<boolean> {
  const { rowCount } = await database.query(
    'update api_tokens set revoked_at = now() where token_id = $1 and revoked_at is null',
    [tokenId],
  );
  return rowCount === 1;
}
