import type { SignedIn } from '../../application/users/signed-in.ts';
import type { Role } from '../../domain/users/role.ts';
import { type BegunChange, decideChangeAs } from '../../store/approvals/changes.ts';
import type { Database } from '../../store/database/database.ts';
import { installUser } from '../../store/users/owner-users.ts';
import { TokenHash } from '../../store/users/token-hash.ts';
import { findTokenHolder } from '../../store/users/tokens.ts';

export interface TestUser extends SignedIn {
  /** The bearer token for requests. */
  token: string;
}

/** Creates a user with these roles who is signed in. The login is derived from the name. */
export async function aUser(
  { url, database }: { url: string; database: Database },
  name: string,
  ...roles: Role[]
): Promise<TestUser> {
  const login = name.toLowerCase().replace(/[^a-z0-9]+/g, '.');
  const token = await installUser(url, { login, name, roles }, Date.now);
  const tokenHash = TokenHash.of(token);
  const holder = await findTokenHolder(database, tokenHash);
  if (holder === null || 'why' in holder) throw new Error('the new user cannot sign in');
  return { ...holder, tokenHash, token };
}

/** Limits a user to an account, as the owner of the database: without the changes that administrators make for it. */
export async function limitTo(
  database: Database,
  { userId }: Pick<TestUser, 'userId'>,
  account: string,
): Promise<void> {
  await database.query('insert into user_accounts (user_id, account) values ($1, $2)', [userId, account]);
}

/** What one administrator has proposed, confirmed by another one where it waits for that. */
export async function byTwo(
  testDatabase: { url: string; database: Database; asServer: Database },
  proposed: Promise<{ change: BegunChange | null }>,
): Promise<void> {
  const { change } = await proposed;
  if (change?.state !== 'pending') return;
  const { tokenHash } = await aUser(testDatabase, 'Second', 'administrator');
  await decideChangeAs(testDatabase.asServer, tokenHash, change.changeId, true);
}
