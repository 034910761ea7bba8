import pg from 'pg';
import type { Role } from '../domain/role.ts';
import { Refused } from './authority.ts';
import { keptHashOf, newCode, newToken, TokenProof } from './token-proof.ts';

/**
 * What only the owner of the database can do: the very first administrator, who cannot be added by another, and users
 * for examples and tests.
 */

const INVITATION_LASTS_MS = 15 * 60_000;
const EXAMPLE_LASTS_MS = 30 * 86_400_000;

/** A code by which the administrator signs in, once and within a quarter of an hour. @throws Refused when there is one */
export async function inviteAdministrator(
  ownerUrl: string,
  user: { login: string; name: string; recover: boolean },
  now: () => number,
): Promise<{ code: string; expiresAt: Date }> {
  const code = newCode();
  const expiresAt = new Date(now() + INVITATION_LASTS_MS);
  const answer = await asOwner(ownerUrl, 'select invite_administrator($1, $2, $3, $4, $5) as answer', [
    user.login,
    user.name,
    keptHashOf(TokenProof.of(code)),
    expiresAt,
    user.recover,
  ]);
  const { refused, message } = answer as { refused?: string; message?: string };
  if (refused !== undefined) throw new Refused(refused, message ?? '');
  return { code, expiresAt };
}

export interface InstalledUser {
  login: string;
  name: string;
  roles: readonly Role[];
}

/** A user with these roles and a new token, which is answered. Their former example tokens work no longer. */
export async function installUser(ownerUrl: string, user: InstalledUser, now: () => number): Promise<string> {
  const token = newToken();
  await asOwner(ownerUrl, 'select install_user($1, $2, $3, $4, $5) as answer', [
    user.login,
    user.name,
    user.roles,
    TokenProof.of(token).bytes,
    new Date(now() + EXAMPLE_LASTS_MS),
  ]);
  return token;
}

/** Whether this record belongs to a real provider, so far as a worker has said which one it belongs to. */
export async function hasRealProvider(ownerUrl: string): Promise<boolean> {
  return (
    (await asOwner(ownerUrl, 'select exists (select from provider_accounts where not is_sandbox) as answer', [])) ===
    true
  );
}

/** Payrun starts with everything stopped. */
export async function stopAtStart(ownerUrl: string): Promise<void> {
  await asOwner(ownerUrl, 'select stop_at_start() as answer', []);
}

async function asOwner(ownerUrl: string, statement: string, values: readonly unknown[]): Promise<unknown> {
  const connection = new pg.Client({ connectionString: ownerUrl });
  // A server that ends meanwhile fails the query at hand; unheard, the event would end this process as well.
  connection.on('error', () => undefined);
  await connection.connect();
  try {
    const { rows } = await connection.query<{ answer: unknown }>(statement, [...values]);
    return rows[0]?.answer;
  } finally {
    await connection.end();
  }
}
