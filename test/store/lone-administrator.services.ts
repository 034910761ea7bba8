import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addUserAs,
  decideChangeAs,
  disableUserAs,
  inviteUserAs,
  proposeChangeAs,
  redeemInvitation,
  revokeTokenAs,
} from '../../store/authority.ts';
import { keptHashOf, newCode, newToken, TokenProof } from '../../store/token-proof.ts';
import { holderOfToken } from '../../store/users.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { anApprovedRun } from './a-stored-run.ts';
import { refusedWith } from './runs-in-approval.ts';

/** What one administrator cannot do alone, though each way round it looks harmless. */

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
  const invitation = { userId, codeHash: keptHashOf(TokenProof.of(code)), expiresAt: new Date(Date.now() + DAY_MS) };
  return inviteUserAs(testDatabase.asServer, ada.proof, invitation);
}

const redeem = (code: string) =>
  redeemInvitation(testDatabase.asServer, TokenProof.of(code), {
    newProof: TokenProof.of(newToken()),
    label: 'sign-in',
    expiresAt: new Date(Date.now() + DAY_MS),
  });

test('a change is not confirmed by the administrator who gains by it', async () => {
  const { asServer } = testDatabase;
  const grant = { kind: 'enable_user' as const, userId: ben.userId, detail: {} };
  const { changeId } = await proposeChangeAs(asServer, ada.proof, grant);
  const own = decideChangeAs(asServer, ben.proof, changeId, true);
  await expect(own).rejects.toMatchObject(refusedWith('not_allowed'));
});

test('a user who has a token is not invited again alone, though they decide on nothing', async () => {
  const vic = await aUser(testDatabase, 'Vic', 'viewer');
  expect((await invite(vic.userId)).change?.state).toBe('pending');
});

test('a user who decides on something is not invited alone, though they never had a token', async () => {
  const { asServer } = testDatabase;
  const added = { login: 'eve', name: 'Eve', roles: ['checker'] };
  const { userId, change } = await addUserAs(asServer, ada.proof, added);
  await decideChangeAs(asServer, ben.proof, change?.changeId ?? '', true);
  expect((await invite(userId)).change?.state).toBe('pending');
});

test('the code of a user who was disabled since gives no token', async () => {
  const { asServer } = testDatabase;
  const { userId } = await addUserAs(asServer, ada.proof, { login: 'wil', name: 'Wil', roles: ['viewer'] });
  const code = newCode();
  await invite(userId, code);
  await disableUserAs(asServer, ada.proof, userId);
  await expect(redeem(code)).rejects.toMatchObject(refusedWith('unauthenticated'));
});

test('what the record keeps of a code is no code', async () => {
  const { asServer, database } = testDatabase;
  const { userId } = await addUserAs(asServer, ada.proof, { login: 'yan', name: 'Yan', roles: ['viewer'] });
  await invite(userId);
  const { rows } = await database.query<{ code_hash: Buffer }>('select code_hash from invitations where user_id = $1', [
    userId,
  ]);
  const { rows: answers } = await asServer.query<{ answer: { refused?: string } }>(
    `select redeem_invitation($1, $2, 'x', now() + interval '1 day') as answer`,
    [rows[0]?.code_hash, TokenProof.of(newToken()).bytes],
  );
  expect(answers).toMatchObject([{ answer: { refused: 'unauthenticated' } }]);
});

test('a user who comes back signs in with none of the tokens from before', async () => {
  const { asServer, database } = testDatabase;
  const zoe = await aUser(testDatabase, 'Zoe', 'checker');
  await disableUserAs(asServer, ada.proof, zoe.userId);
  await database.query('update users set disabled_at = null where user_id = $1', [zoe.userId]);
  expect(await holderOfToken(asServer, zoe.proof)).toMatchObject({ why: 'revoked' });
});

test('nobody revokes the token of another who is no administrator', async () => {
  const vera = await aUser(testDatabase, 'Vera', 'checker');
  const late = revokeTokenAs(testDatabase.asServer, vera.proof, ada.tokenId);
  await expect(late).rejects.toMatchObject(refusedWith('not_allowed'));
  await revokeTokenAs(testDatabase.asServer, vera.proof, vera.tokenId);
});
