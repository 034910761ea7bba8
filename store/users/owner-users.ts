import pg from 'pg';
import type { Role } from '../../domain/users/role.ts';
import { Refused } from '../database/call-as-user.ts';
import type { Queryable } from '../database/database.ts';
import { type OpenRun, readOpenRuns } from '../runs/open-runs.ts';
import { listStops } from '../approvals/stops.ts';
import { storedHashOf, newCode, newToken, TokenHash } from './token-hash.ts';

/**
 * What only the owner of the database can do: invite the first administrator, whom nobody else could add, and add users for
 * examples and tests.
 */

// guard: first-code-short
const INVITATION_LASTS_MS = 15 * 60_000;
const EXAMPLE_LASTS_MS = 30 * 86_400_000;

/** A code with which the administrator signs in once, within 15 minutes. @throws Refused when there is an administrator */
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
    storedHashOf(TokenHash.of(code)),
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

/** Adds or updates a user with these roles and returns a new token. The user's former example tokens are revoked. */
export async function installUser(ownerUrl: string, user: InstalledUser, now: () => number): Promise<string> {
  const token = newToken();
  await asOwner(ownerUrl, 'select install_user($1, $2, $3, $4, $5) as answer', [
    user.login,
    user.name,
    user.roles,
    TokenHash.of(token).bytes,
    new Date(now() + EXAMPLE_LASTS_MS),
  ]);
  return token;
}

/** Whether this record belongs only to payrun's own sandbox, as its first worker recorded. */
export async function isSandboxDatabase(ownerUrl: string): Promise<boolean> {
  // guard: sandbox-alone
  const statement = 'select coalesce(bool_and(is_sandbox), false) as answer from provider_accounts';
  return (await asOwner(ownerUrl, statement, [])) === true;
}

const LINK_LASTS_MS = 86_400_000;

/** A code for a one-time link, by which an example user of a sandbox signs in within a day. */
export async function installLink(ownerUrl: string, login: string, now: () => number): Promise<string> {
  const code = newCode();
  await asOwner(ownerUrl, 'select install_link($1, $2, $3) as answer', [
    login,
    storedHashOf(TokenHash.of(code)),
    new Date(now() + LINK_LASTS_MS),
  ]);
  return code;
}

/** The users that were added as examples, and are enabled. */
export async function listExampleLogins(ownerUrl: string): Promise<{ login: string; name: string }[]> {
  const statement = `select coalesce(json_agg(json_build_object('login', login, 'name', name) order by login), '[]') as answer
    from users where disabled_at is null and exists (
      select from api_tokens where api_tokens.user_id = users.user_id and label = 'example')`;
  return (await asOwner(ownerUrl, statement, [])) as { login: string; name: string }[];
}

/** Whether nobody has signed in yet, and there is no user but perhaps this one. */
export async function isUntouched(ownerUrl: string, login: string): Promise<boolean> {
  const statement = `select not exists (select from users where login is distinct from $1)
    and not exists (select from api_tokens) as answer`;
  return (await asOwner(ownerUrl, statement, [login])) === true;
}

/** Stops all payments at the start of payrun. */
export async function stopAtStart(ownerUrl: string): Promise<void> {
  await asOwner(ownerUrl, 'select stop_at_start() as answer', []);
}

/** The same with a restored backup, which does not know what was converted since. */
export async function afterRestore(ownerUrl: string): Promise<void> {
  await asOwner(ownerUrl, 'select after_restore() as answer', []);
}

/** Runs that have not ended, and how many stops are in force. */
export function readOpenWork(ownerUrl: string): Promise<{ open: OpenRun[]; stops: number }> {
  return withOwner(ownerUrl, async (connection) => ({
    open: await readOpenRuns(connection),
    stops: (await listStops(connection, { runId: null, accounts: null })).filter(
      ({ cancelledAt }) => cancelledAt === null,
    ).length,
  }));
}

/** Whether any user was ever added. */
export async function hasUsers(ownerUrl: string): Promise<boolean> {
  return (await asOwner(ownerUrl, 'select exists (select from users) as answer', [])) === true;
}

async function asOwner(ownerUrl: string, statement: string, values: readonly unknown[]): Promise<unknown> {
  return withOwner(ownerUrl, async (connection) => {
    const { rows } = await connection.query<{ answer: unknown }>(statement, [...values]);
    return rows[0]?.answer;
  });
}

async function withOwner<T>(ownerUrl: string, work: (connection: Queryable) => Promise<T>): Promise<T> {
  const connection = new pg.Client({ connectionString: ownerUrl });
  // If the server ends, the current query fails; an unhandled error event would end this process as well.
  connection.on('error', () => undefined);
  await connection.connect();
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}
