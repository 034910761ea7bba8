import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApplicationDependencies } from '../../application/application-dependencies.ts';
import { signInMethods } from '../../application/users/console-sessions.ts';
import { beginPasswordSignIn, signInWithLink, signInWithPassword } from '../../store/users/sign-ins.ts';
import { installLink } from '../../store/users/owner-users.ts';
import { newToken, TokenHash } from '../../store/users/token-hash.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { refusedWith } from './runs-in-approval.ts';

/** Where the policy takes the sign-in of the company alone, no password opens a session, and nobody gets one. */

const ORIGIN = { browser: null, address: null };
const KEY = Buffer.alloc(32, 1);
let testDatabase: TestDatabase;
let chris: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  chris = await aUser(testDatabase, 'Chris', 'checker');
  await execute(
    `insert into passwords (user_id, salt, verifier) values ($1, $2, sha256($3))`,
    chris.userId,
    Buffer.alloc(16),
    KEY,
  );
});
afterAll(() => testDatabase.drop());

const execute = (statement: string, ...values: unknown[]) => testDatabase.database.query(statement, values);
const follow = (only: boolean) =>
  execute(`insert into policies (policy) select current_policy() || $1::jsonb`, { companySignIn: { only } });
const begin = () => beginPasswordSignIn(testDatabase.asServer, 'chris', null);
const finish = (tryId: string) =>
  signInWithPassword(
    testDatabase.asServer,
    { tryId, key: KEY, newTokenHash: TokenHash.of(newToken()), browserHash: TokenHash.of(newToken()) },
    ORIGIN,
  );
const couldSignIn = async () =>
  (await execute(`select has_sign_in_since($1, 'infinity') as could`, chris.userId)).rows as unknown[];

test('a password opens no session, also not in a try that was begun before, and is no way to object', async () => {
  const { tryId } = await begin();
  await follow(true);
  await expect(finish(tryId)).rejects.toMatchObject(refusedWith('not_allowed'));
  await expect(begin()).rejects.toMatchObject(refusedWith('not_allowed'));
  expect(await couldSignIn()).toEqual([{ could: false }]);
  await follow(false);
  await finish((await begin()).tryId);
  expect(await couldSignIn()).toEqual([{ could: true }]);
});

test('a link of the owner of the database still opens one, and sets no password', async () => {
  await follow(true);
  const link = TokenHash.of(await installLink(testDatabase.url, 'chris', Date.now));
  const session = TokenHash.of(newToken());
  await signInWithLink(testDatabase.asServer, link, session, ORIGIN);
  const setting = testDatabase.asServer.query<{ answer: { refused?: string } }>(
    `select set_password($1, null, null, $2, $3, $4) as answer`,
    [session.bytes, Buffer.alloc(16), KEY, TokenHash.of(newToken()).bytes],
  );
  expect((await setting).rows).toMatchObject([{ answer: { refused: 'not_allowed' } }]);
});

test('the page for signing in offers no password then', async () => {
  const offered = async () => {
    const methods = await signInMethods({ database: testDatabase.asServer } as ApplicationDependencies);
    return methods.password;
  };
  await follow(true);
  expect(await offered()).toBeNull();
  await follow(false);
  expect(await offered()).not.toBeNull();
});
