import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUserAs, disableUserAs, inviteUserAs } from '../../store/users/users.ts';
import { decideChangeAs, proposeChangeAs } from '../../store/approvals/changes.ts';
import { findTokenHolder, issueTokenAs, redeemInvitation, revokeTokenAs } from '../../store/users/tokens.ts';
import { storedHashOf, newCode, newToken, TokenHash } from '../../store/users/token-hash.ts';
import { createTestDatabase, type TestDatabase, untilWaiting } from '../helpers/test-database.ts';
import { aUser, byTwo, type TestUser } from '../helpers/users.ts';
import { anApprovedRun } from './a-stored-run.ts';
import { refusedWith } from './runs-in-approval.ts';

/** What one administrator cannot do alone, not even by steps that look harmless. */

const DAY_MS = 86_400_000;

let testDatabase: TestDatabase;
let ada: TestUser;
let ben: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  ada = await aUser(testDatabase, 'Ada', 'administrator');
  ben = await aUser(testDatabase, 'Ben', 'administrator');
  await anApprovedRun(testDatabase.database);
});
afterAll(() => testDatabase.drop());

async function invite(userId: string, code = newCode()) {
  const invitation = { userId, codeHash: storedHashOf(TokenHash.of(code)), expiresAt: new Date(Date.now() + DAY_MS) };
  return inviteUserAs(testDatabase.asServer, ada.tokenHash, invitation);
}

const redeem = (code: string, token = newToken()) =>
  redeemInvitation(testDatabase.asServer, TokenHash.of(code), {
    newTokenHash: TokenHash.of(token),
    label: 'sign-in',
    expiresAt: new Date(Date.now() + DAY_MS),
  });

test('a change is not confirmed by the administrator who benefits', async () => {
  const { asServer } = testDatabase;
  const { change } = await invite(ben.userId);
  const own = decideChangeAs(asServer, ben.tokenHash, change?.changeId ?? '', true);
  await expect(own).rejects.toMatchObject(refusedWith('not_allowed'));
});

test('one administrator cannot invite a user with a token again, even without a deciding role', async () => {
  const vic = await aUser(testDatabase, 'Vic', 'auditor');
  expect((await invite(vic.userId)).change?.state).toBe('pending');
});

test('one administrator cannot invite a user with a deciding role, even if they never had a token', async () => {
  const { asServer } = testDatabase;
  const added = { login: 'eve', name: 'Eve', roles: ['checker'] };
  const { userId, change } = await addUserAs(asServer, ada.tokenHash, added);
  await decideChangeAs(asServer, ben.tokenHash, change?.changeId ?? '', true);
  expect((await invite(userId)).change?.state).toBe('pending');
});

/** Bob's deciding role waits for Ben's confirmation. */
async function addBob(login: string, roles = ['checker']): Promise<{ userId: string; grantId: string }> {
  const { userId, change } = await addUserAs(testDatabase.asServer, ada.tokenHash, { login, name: login, roles });
  return { userId, grantId: change?.changeId ?? '' };
}
const confirm = (changeId = '') => decideChangeAs(testDatabase.asServer, ben.tokenHash, changeId, true);

test('a user with a pending deciding role is not invited before it takes effect', async () => {
  const { userId, grantId } = await addBob('bob');
  const { change } = await invite(userId);
  expect(change?.state).toBe('pending');
  // Nor if only the invitation was confirmed.
  await confirm(change?.changeId);
  expect((await invite(userId)).change).toMatchObject({ changeId: grantId, state: 'pending' });
  await confirm(grantId);
  const code = newCode();
  expect(await invite(userId, code)).toEqual({ invited: true });
  expect((await redeem(code)).userId).toBe(userId);
});

test('tokens and codes from before a user gets a deciding role are not valid afterwards', async () => {
  const { asServer } = testDatabase;
  const { userId } = await addBob('bert', ['auditor']);
  const [code, later, token] = [newCode(), newCode(), newToken()];
  await invite(userId, code);
  await redeem(code, token);
  const { change } = await invite(userId);
  await confirm(change?.changeId);
  await invite(userId, later);
  const grant = { kind: 'grant_roles' as const, userId, detail: { roles: ['checker'] } };
  const { changeId } = await proposeChangeAs(asServer, ada.tokenHash, grant);
  expect(await findTokenHolder(asServer, TokenHash.of(token))).toMatchObject({ login: 'bert' });
  await confirm(changeId);
  expect(await findTokenHolder(asServer, TokenHash.of(token))).toMatchObject({ why: 'revoked' });
  await expect(redeem(later)).rejects.toMatchObject(refusedWith('unauthenticated'));
});

test('a token that is issued while a user gets a deciding role is not valid afterwards', async () => {
  const { asServer, database, serverUrl } = testDatabase;
  const { userId } = await addBob('bill', ['auditor']);
  const [code, token] = [newCode(), newToken()];
  await invite(userId, code);
  const { changeId } = await proposeChangeAs(asServer, ada.tokenHash, {
    kind: 'grant_roles',
    userId,
    detail: { roles: ['checker'] },
  });
  const connection = new pg.Client({ connectionString: serverUrl });
  await connection.connect();
  try {
    await connection.query('begin');
    await connection.query(`select decide_change($1, $2, true)`, [ben.tokenHash.bytes, changeId]);
    const redeemed = redeem(code, token).catch((error: unknown) => error);
    await untilWaiting(database);
    await connection.query('commit');
    expect(await redeemed).toMatchObject(refusedWith('unauthenticated'));
  } finally {
    await connection.end();
  }
});

test('a token is not issued by one that is revoked meanwhile', async () => {
  const { asServer, database, serverUrl } = testDatabase;
  const vida = await aUser(testDatabase, 'Vida', 'auditor');
  const connection = new pg.Client({ connectionString: serverUrl });
  await connection.connect();
  try {
    await connection.query('begin');
    await connection.query(`select disable_user($1, $2)`, [ada.tokenHash.bytes, vida.userId]);
    const token = {
      newTokenHash: TokenHash.of(newToken()),
      label: 'x',
      expiresAt: new Date(Date.now() + DAY_MS),
      scopes: [],
    };
    const issued = issueTokenAs(asServer, vida.tokenHash, token).catch((error: unknown) => error);
    // It would be issued at once if it did not wait.
    await Promise.race([untilWaiting(database), issued]);
    await connection.query('commit');
    expect(await issued).toMatchObject(refusedWith('unauthenticated'));
  } finally {
    await connection.end();
  }
});

test('the code of a user who was disabled since cannot be redeemed', async () => {
  const { asServer, database } = testDatabase;
  const { userId } = await addUserAs(asServer, ada.tokenHash, { login: 'wil', name: 'Wil', roles: ['auditor'] });
  const code = newCode();
  await invite(userId, code);
  await database.query('update users set disabled_at = now() where user_id = $1', [userId]);
  await expect(redeem(code)).rejects.toMatchObject(refusedWith('unauthenticated'));
});

test('what the database stores of a code cannot be redeemed', async () => {
  const { asServer, database } = testDatabase;
  const { userId } = await addUserAs(asServer, ada.tokenHash, { login: 'yan', name: 'Yan', roles: ['auditor'] });
  await invite(userId);
  const { rows } = await database.query<{ code_hash: Buffer }>('select code_hash from invitations where user_id = $1', [
    userId,
  ]);
  const { rows: answers } = await asServer.query<{ answer: { refused?: string } }>(
    `select redeem_invitation($1, $2, 'x', now() + interval '1 day') as answer`,
    [rows[0]?.code_hash, TokenHash.of(newToken()).bytes],
  );
  expect(answers).toMatchObject([{ answer: { refused: 'unauthenticated' } }]);
});

test('a user who is enabled again cannot sign in with earlier tokens', async () => {
  const { asServer, database } = testDatabase;
  const zoe = await aUser(testDatabase, 'Zoe', 'checker');
  await byTwo(testDatabase, disableUserAs(asServer, ada.tokenHash, zoe.userId));
  await database.query('update users set disabled_at = null where user_id = $1', [zoe.userId]);
  expect(await findTokenHolder(asServer, zoe.tokenHash)).toMatchObject({ why: 'revoked' });
});

test('only an administrator revokes the token of another user', async () => {
  const vera = await aUser(testDatabase, 'Vera', 'checker');
  const late = revokeTokenAs(testDatabase.asServer, vera.tokenHash, ada.tokenId);
  await expect(late).rejects.toMatchObject(refusedWith('not_allowed'));
  await revokeTokenAs(testDatabase.asServer, vera.tokenHash, vera.tokenId);
});
