import type { Database, Queryable } from '../database/database.ts';
import { callAsUser } from '../database/call-as-user.ts';
import type { TokenHash } from './token-hash.ts';
import type { InvalidToken, TokenHolder } from './tokens.ts';
import { ACCOUNTS_OF_USER } from './users.ts';

export type SignInMethod = 'password' | 'link' | 'oidc';

export interface SessionHolder extends TokenHolder {
  /** Until the second factor of the sign-in was shown, the session does nothing else. */
  awaitsFactor: boolean;
}

/**
 * The user of the session with this token hash; null for one that never was. Shortly after its cookie was changed the former
 * token hash still reads, and decides nothing. `isUse`: keeps it from ending for idleness.
 */
export async function findSessionHolder(
  database: Queryable,
  tokenHash: TokenHash,
  isUse: boolean,
): Promise<SessionHolder | InvalidToken | null> {
  const { rows } = await database.query<SessionHolder & { why: InvalidToken['why'] | null }>(
    `with session as (
       select token_id, user_id, last_used_at, awaits_factor, scopes,
         case when revoked_at is not null then 'revoked'
              when expires_at <= clock_timestamp() then 'expired'
              when coalesce(last_used_at, created_at) + idle_seconds * interval '1 second' <= clock_timestamp() then 'idle' end as why
       from api_tokens join sessions on session_id = token_id
       where token_id in (
         select token_id from api_tokens where stored_hash = sha256($1)
         union all
         select session_id from sessions where previous_hash = sha256($1) and previous_until > clock_timestamp())
     ), noted as materialized (
       select note_use($1) from session
       where $2 and why is null and (last_used_at is null or last_used_at < clock_timestamp() - interval '1 minute')
     )
     select users.user_id as "userId", coalesce(login, name) as login, name, token_id as "tokenId",
       coalesce(session.why, case when disabled_at is not null then 'disabled' end) as why,
       array(select role from user_roles where user_roles.user_id = users.user_id order by role) as roles,
       ${ACCOUNTS_OF_USER} as accounts, scopes, awaits_factor as "awaitsFactor"
     from session join users using (user_id) left join noted on true`,
    [tokenHash.bytes, isUse],
  );
  const [found] = rows;
  if (found === undefined) return null;
  const { why, ...holder } = found;
  return why === null ? holder : { tokenId: holder.tokenId, userId: holder.userId, why };
}

/** How somebody has signed in, and how they may. */
export interface SignInState {
  /** Null: by a token. */
  method: SignInMethod | null;
  signedInAt: Date;
  /** When the user has last shown who they are. Null: by a token, or the sign-in of the company does not say it. */
  authenticatedAt: Date | null;
  endsAt: Date | null;
  idleSeconds: number | null;
  hasPassword: boolean;
  hasIdentity: boolean;
  totp: { createdAt: string; lastUsedAt: string | null; counts: boolean } | null;
  passkeys: StoredPasskey[];
}

interface StoredPasskey {
  passkeyId: string;
  label: string;
  createdAt: string;
  lastUsedAt: string | null;
  counts: boolean;
}

/** Of the user of a valid token or session. */
export async function readSignInState(database: Queryable, tokenId: string): Promise<SignInState> {
  const { rows } = await database.query<SignInState>(
    `select method, created_at as "signedInAt", authenticated_at as "authenticatedAt", expires_at as "endsAt", idle_seconds as "idleSeconds",
       exists (select from passwords where passwords.user_id = api_tokens.user_id) as "hasPassword",
       exists (select from user_identities where user_identities.user_id = api_tokens.user_id) as "hasIdentity",
       (select json_build_object('createdAt', created_at, 'lastUsedAt', last_used_at, 'counts', counts_at is not null) from totp_factors
         where totp_factors.user_id = api_tokens.user_id and confirmed_at is not null) as totp,
       (select coalesce(json_agg(json_build_object('passkeyId', passkey_id, 'label', label, 'createdAt', created_at,
          'lastUsedAt', last_used_at, 'counts', counts_at is not null) order by created_at), '[]') from passkeys
         where passkeys.user_id = api_tokens.user_id) as passkeys
     from api_tokens left join sessions on session_id = token_id where token_id = $1`,
    [tokenId],
  );
  const [state] = rows;
  if (state === undefined) throw new Error('a session that was just used is not in the database');
  return state;
}

export interface SessionRecord {
  sessionId: string;
  userId: string;
  login: string | null;
  name: string;
  method: SignInMethod;
  browser: string | null;
  address: string | null;
  createdAt: Date;
  lastUsedAt: Date | null;
  endsAt: Date;
  endedAt: Date | null;
  isActive: boolean;
}

const MAX_LISTED = 200;

/** All sessions of the last 30 days, or one user's; the newest first. */
export async function listSessions(database: Queryable, userId: string | null): Promise<SessionRecord[]> {
  const { rows } = await database.query<SessionRecord>(
    `select session_id as "sessionId", user_id as "userId", login, name, method, browser, address,
       api_tokens.created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "endsAt", revoked_at as "endedAt",
       revoked_at is null and expires_at > clock_timestamp() and disabled_at is null
         and coalesce(last_used_at, api_tokens.created_at) + idle_seconds * interval '1 second' > clock_timestamp() as "isActive"
     from sessions join api_tokens on session_id = token_id join users using (user_id)
     where ($1::uuid is null or user_id = $1) and api_tokens.created_at > clock_timestamp() - interval '30 days'
     order by "isActive" desc, api_tokens.created_at desc, session_id limit ${MAX_LISTED}`,
    [userId],
  );
  return rows;
}

export async function endSessionAs(database: Database, tokenHash: TokenHash, sessionId: string): Promise<void> {
  await callAsUser(database, 'end_session($1, $2)', [tokenHash.bytes, sessionId]);
}
