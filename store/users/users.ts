import type { Role } from '../../domain/users/role.ts';
import type { Queryable } from '../database/database.ts';
import type { TokenProof } from './token-proof.ts';

/** A user behind a valid token. */
export interface TokenHolder {
  userId: string;
  login: string;
  name: string;
  roles: Role[];
  tokenId: string;
}

/** Why a token signs nobody in, as far as the record knows it: for the audit trail, not for the one who asks. */
export interface DeadToken {
  tokenId: string;
  userId: string;
  why: 'revoked' | 'expired' | 'disabled';
}

/** Who holds the token of this proof; null for a token that was never issued. Notes its use, at most once a minute. */
export async function holderOfToken(database: Queryable, proof: TokenProof): Promise<TokenHolder | DeadToken | null> {
  const { rows } = await database.query<TokenHolder & { why: DeadToken['why'] | null }>(
    `with token as (
       select token_id, user_id, last_used_at,
         case when revoked_at is not null then 'revoked'
              when expires_at <= clock_timestamp() then 'expired' end as why
       from api_tokens where proof_hash = sha256($1)
     ), noted as (
       update api_tokens set last_used_at = now() from token
       where api_tokens.token_id = token.token_id and token.why is null
         and (token.last_used_at is null or token.last_used_at < now() - interval '1 minute')
     )
     select users.user_id as "userId", coalesce(login, name) as login, name, token_id as "tokenId",
       coalesce(token.why, case when disabled_at is not null then 'disabled' end) as why,
       array(select role from user_roles where user_roles.user_id = users.user_id order by role) as roles
     from token join users using (user_id)`,
    [proof.bytes],
  );
  const [found] = rows;
  if (found === undefined) return null;
  const { why, ...holder } = found;
  return why === null ? holder : { tokenId: holder.tokenId, userId: holder.userId, why };
}

export interface UserRecord {
  userId: string;
  login: string | null;
  name: string;
  roles: Role[];
  /** Roles that wait for a second administrator. */
  pendingRoles: Role[];
  disabledAt: Date | null;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export async function listUsers(database: Queryable): Promise<UserRecord[]> {
  const { rows } = await database.query<UserRecord>(
    `select users.user_id as "userId", login, name, disabled_at as "disabledAt", created_at as "createdAt",
       array(select role from user_roles where user_roles.user_id = users.user_id order by role) as roles,
       array(select jsonb_array_elements_text(detail -> 'roles') from changes
         where changes.user_id = users.user_id and kind = 'grant_roles' and state = 'pending') as "pendingRoles",
       (select max(last_used_at) from api_tokens where api_tokens.user_id = users.user_id) as "lastUsedAt"
     from users order by login, user_id`,
  );
  return rows;
}

export interface TokenRecord {
  tokenId: string;
  userId: string;
  login: string | null;
  name: string;
  label: string;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

/** All tokens, or those of one user. */
export async function listTokens(database: Queryable, userId: string | null): Promise<TokenRecord[]> {
  const { rows } = await database.query<TokenRecord>(
    `select token_id as "tokenId", user_id as "userId", login, name, label, api_tokens.created_at as "createdAt",
       expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt"
     from api_tokens join users using (user_id)
     where $1::uuid is null or user_id = $1 order by api_tokens.created_at, token_id`,
    [userId],
  );
  return rows;
}

export interface ChangeRecord {
  changeId: string;
  kind: string;
  user: { userId: string; name: string } | null;
  detail: Record<string, unknown>;
  proposedBy: { userId: string; name: string } | null;
  proposedAt: Date;
  takesEffectAt: Date | null;
  state: 'pending' | 'effective' | 'rejected';
  decidedBy: { userId: string; name: string } | null;
  decidedAt: Date | null;
}

interface ChangeRow extends Omit<ChangeRecord, 'user' | 'proposedBy' | 'decidedBy'> {
  userId: string | null;
  userName: string | null;
  proposerId: string | null;
  proposerName: string | null;
  deciderId: string | null;
  deciderName: string | null;
}

/** The newest first; pending ones alone where asked. */
export async function listChanges(
  database: Queryable,
  filter: { pendingOnly: boolean; limit: number },
): Promise<ChangeRecord[]> {
  const { rows } = await database.query<ChangeRow>(
    `select change_id as "changeId", kind, changes.user_id as "userId", users.name as "userName", detail,
       proposed_by as "proposerId", proposer.name as "proposerName", proposed_at as "proposedAt",
       takes_effect_at as "takesEffectAt", state, decided_by as "deciderId", decider.name as "deciderName",
       decided_at as "decidedAt"
     from changes
     left join users using (user_id)
     left join users proposer on proposer.user_id = proposed_by
     left join users decider on decider.user_id = decided_by
     where not $1 or state = 'pending'
     order by proposed_at desc, change_id limit $2`,
    [filter.pendingOnly, filter.limit],
  );
  return rows.map(({ userId, userName, proposerId, proposerName, deciderId, deciderName, ...change }) => ({
    ...change,
    user: personOf(userId, userName),
    proposedBy: personOf(proposerId, proposerName),
    decidedBy: personOf(deciderId, deciderName),
  }));
}

function personOf(userId: string | null, name: string | null): { userId: string; name: string } | null {
  return userId === null ? null : { userId, name: name ?? '' };
}

export async function readPolicy(database: Queryable): Promise<unknown> {
  const { rows } = await database.query<{ policy: unknown }>('select current_policy() as policy');
  return rows[0]?.policy ?? null;
}
