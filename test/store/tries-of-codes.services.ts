import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newToken, TokenHash } from '../../store/users/token-hash.ts';
import { issueTokenAs } from '../../store/users/tokens.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** Who knows a password, or has found a token, keeps nobody from showing codes of their app, and has no more tries by that. */

let testDatabase: TestDatabase;
let chris: TestUser;
let totpId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());
beforeEach(async () => {
  chris = await aUser(testDatabase, `Chris ${randomUUID()}`, 'checker');
  totpId = randomUUID();
  await testDatabase.database.query(
    `insert into totp_factors (totp_id, user_id, session_id, wrapped, wrapped_by, confirmed_at) values ($1, $2, $3, '', 'x', now())`,
    [totpId, chris.userId, chris.tokenId],
  );
});

async function answerOf(call: string, ...values: unknown[]): Promise<string> {
  const { rows } = await testDatabase.asServer.query<{ answer: { refused?: string } }>(
    `select ${call} as answer`,
    values,
  );
  return rows[0]?.answer.refused ?? 'done';
}

const tryCode = ({ bytes }: TokenHash) => answerOf('begin_totp_try($1, false)', bytes);

async function sessionsFail(sessions: readonly TokenHash[], times: number): Promise<string[]> {
  const answers: string[] = [];
  for (let n = 0; n < times; n += 1) answers.push(await tryCode(sessions[n % sessions.length] ?? chris.tokenHash));
  return answers;
}

async function aSession(): Promise<TokenHash> {
  const tokenHash = TokenHash.of(newToken());
  await testDatabase.database.query(`select open_session($1, 'password', $2, null, null)`, [
    chris.userId,
    tokenHash.bytes,
  ]);
  return tokenHash;
}

/** A right code, `stepsAgo` steps of 30 seconds ago. */
function showCode({ bytes }: TokenHash, stepsAgo = 0): Promise<string> {
  const step = Math.floor(Date.now() / 30_000) - stepsAgo;
  const next = TokenHash.of(newToken()).bytes;
  return answerOf(`step_up_with_totp($1, 'session', $2, '', 'signed_in', $3, $4)`, bytes, chris.userId, step, next);
}

test('what has shown a factor before has tries of its own', async () => {
  await showCode(chris.tokenHash);
  const [one, other] = [await aSession(), await aSession()];
  expect((await sessionsFail([one, other], 6)).at(-1)).toBe('too_many');
  expect(await tryCode(chris.tokenHash)).toBe('done');
});

test('a right code gives nobody else tries again', async () => {
  const [mine, other] = [await aSession(), await aSession()];
  expect((await sessionsFail([other], 5)).at(-1)).toBe('done');
  await testDatabase.database.query(`update sign_in_tries set last_at = last_at - interval '30 seconds'`);
  expect(await tryCode(mine)).toBe('done');
  expect(await showCode(mine)).toBe('done');
  expect(await tryCode(other)).toBe('too_many');
});

test('a token that only reads has none', async () => {
  const newTokenHash = TokenHash.of(newToken());
  const expiresAt = new Date(Date.now() + 3_600_000);
  await issueTokenAs(testDatabase.asServer, chris.tokenHash, { newTokenHash, label: 'page', scopes: [], expiresAt });
  expect(await tryCode(newTokenHash)).toBe('not_allowed');
  expect(await tryCode(chris.tokenHash)).toBe('done');
});
