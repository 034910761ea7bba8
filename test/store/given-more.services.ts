import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Role } from '../../domain/users/role.ts';
import { decideChangeAs, proposeChangeAs } from '../../store/approvals/changes.ts';
import { newToken, TokenHash } from '../../store/users/token-hash.ts';
import { limitUserAs } from '../../store/users/users.ts';
import { aUser, byTwo, limitTo, type TestUser } from '../helpers/users.ts';
import { ACCOUNT } from './a-stored-run.ts';
import { LimitedUsers, OTHER } from './limited-users.ts';

/** What a user signed in by before they were given more does not reach further: whoever has it may be somebody else. */

let users: LimitedUsers;
beforeEach(async () => {
  users = await LimitedUsers.create();
});
afterEach(() => users.testDatabase.drop());

async function aSessionOf({ userId }: TestUser): Promise<TokenHash> {
  const tokenHash = TokenHash.of(newToken());
  await users.testDatabase.database.query(`select open_session($1, 'password', $2, 'browser', 'address')`, [
    userId,
    tokenHash.bytes,
  ]);
  return tokenHash;
}

async function works(tokenHash: TokenHash): Promise<boolean> {
  const { rows } = await users.testDatabase.database.query<{ works: boolean }>(
    'select user_id is not null as works from session_of($1)',
    [tokenHash.bytes],
  );
  return rows[0]?.works === true;
}

test.each<[string, Role, Role]>([
  ['reads', 'viewer', 'checker'],
  ['decides already', 'checker', 'treasurer'],
])('sessions and tokens of somebody who %s end with a role that decides', async (_what, before, role) => {
  const { testDatabase, ada, ben } = users;
  const vic = await aUser(testDatabase, 'Vic', before);
  const session = await aSessionOf(vic);
  const detail = { roles: [role] };
  const change = { kind: 'grant_roles' as const, userId: vic.userId, detail };
  const { changeId } = await proposeChangeAs(testDatabase.asServer, ada.tokenHash, change);
  expect([await works(session), await works(vic.tokenHash)]).toEqual([true, true]);
  await decideChangeAs(testDatabase.asServer, ben.tokenHash, changeId, true);
  expect([await works(session), await works(vic.tokenHash)]).toEqual([false, false]);
});

test.each<[string, readonly string[] | null]>([
  ['another account', [ACCOUNT, OTHER]],
  ['all of them', null],
])('they end with %s, and go on with fewer', async (_what, accounts) => {
  const { testDatabase, ada } = users;
  const vic = await aUser(testDatabase, 'Vic', 'checker');
  await limitTo(testDatabase.database, vic, ACCOUNT);
  const session = await aSessionOf(vic);
  await byTwo(testDatabase, limitUserAs(testDatabase.asServer, ada.tokenHash, vic.userId, accounts));
  expect([await works(session), await works(vic.tokenHash)]).toEqual([false, false]);
  const later = await aSessionOf(vic);
  await byTwo(testDatabase, limitUserAs(testDatabase.asServer, ada.tokenHash, vic.userId, [ACCOUNT]));
  expect(await works(later)).toBe(true);
});
