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

async function aSession(method: 'password' | 'oidc' = 'password'): Promise<TokenHash> {
  const tokenHash = TokenHash.of(newToken());
  await testDatabase.database.query(`select open_session($1, $3, $2, null, null)`, [
    chris.userId,
    tokenHash.bytes,
    method,
  ]);
  return tokenHash;
}

async function aToken(scopes: readonly 'decide'[]): Promise<TokenHash> {
  const newTokenHash = TokenHash.of(newToken());
  const expiresAt = new Date(Date.now() + 3_600_000);
  await issueTokenAs(testDatabase.asServer, chris.tokenHash, { newTokenHash, label: 'page', scopes, expiresAt });
  return newTokenHash;
}

/** A right code, `stepsAgo` steps of 30 seconds ago. */
function showCode({ bytes }: TokenHash, stepsAgo = 0): Promise<string> {
  const step = Math.floor(Date.now() / 30_000) - stepsAgo;
  const next = TokenHash.of(newToken()).bytes;
  return answerOf(`step_up_with_totp($1, 'session', $2, '', 'signed_in', $3, $4)`, bytes, chris.userId, step, next);
}

test('what has shown a factor before has tries of its own', async () => {
  await showCode(chris.tokenHash);
  const [one, other] = [await aToken(['decide']), await aToken(['decide'])];
  expect((await sessionsFail([one, other], 6)).at(-1)).toBe('too_many');
  expect(await tryCode(chris.tokenHash)).toBe('done');
});

/** A session by the password, at a browser with this secret. */
async function signInAt(browser: string): Promise<TokenHash> {
  const { database, asServer } = testDatabase;
  await database.query(
    `insert into passwords (user_id, salt, verifier) values ($1, decode(repeat('00', 16), 'hex'), sha256('key')) on conflict do nothing`,
    [chris.userId],
  );
  const { rows: begun } = await asServer.query<{ answer: { tryId: string } }>(
    'select begin_password_sign_in((select login from users where user_id = $1), $2) as answer',
    [chris.userId, browser],
  );
  const tokenHash = TokenHash.of(newToken());
  await asServer.query(`select sign_in_with_password($1, 'key', $2, $3, null, null)`, [
    begun[0]?.answer.tryId,
    tokenHash.bytes,
    browser,
  ]);
  return tokenHash;
}

test('a browser at which a factor was shown has tries of its own, in a new session as well', async () => {
  expect(await showCode(await signInAt('of Chris'))).toBe('done');
  expect((await sessionsFail([await signInAt('of a stranger')], 6)).at(-1)).toBe('too_many');
  expect(await tryCode(await signInAt('of Chris'))).toBe('done');
  expect(await tryCode(await signInAt('of another stranger'))).toBe('too_many');
});

test('who signs in by the company has tries that no password uses up', async () => {
  expect((await sessionsFail([await aSession()], 6)).at(-1)).toBe('too_many');
  expect(await tryCode(await aSession('oidc'))).toBe('done');
});

test('another password gives tries again, as strangers do not know it', async () => {
  expect((await sessionsFail([await aSession()], 6)).at(-1)).toBe('too_many');
  await testDatabase.database.query('select end_sign_ins($1)', [chris.userId]);
  await testDatabase.database.query(
    `insert into totp_factors (totp_id, user_id, session_id, wrapped, wrapped_by, confirmed_at) values ($1, $2, $3, '', 'x', now())`,
    [totpId, chris.userId, chris.tokenId],
  );
  expect(await tryCode(await aSession())).toBe('done');
});

test('ten wrong codes are told once', async () => {
  const session = await aSession();
  for (let n = 0; n < 12; n += 1) {
    expect(await tryCode(session)).toBe('done');
    await testDatabase.database.query(`update sign_in_tries set last_at = last_at - interval '50 minutes'`);
    expect(await notificationsOf(chris)).toEqual(n < 9 ? [] : ['user.codes_tried']);
  }
});

test('an administrator who ends a session of somebody else is told of, and who ends their own is not', async () => {
  const ada = await aUser(testDatabase, `Ada ${randomUUID()}`, 'administrator');
  const end = async ({ tokenHash }: TestUser, ended: TokenHash) => {
    const { rows } = await testDatabase.database.query<{ id: string }>(
      'select token_id as id from api_tokens where stored_hash = sha256($1)',
      [ended.bytes],
    );
    return answerOf('end_session($1, $2)', tokenHash.bytes, rows[0]?.id);
  };
  expect(await end(chris, await aSession())).toBe('done');
  expect(await notificationsOf(chris)).toEqual([]);
  expect(await end(ada, await aSession())).toBe('done');
  expect(await notificationsOf(chris)).toEqual(['user.session_ended']);
});

async function notificationsOf({ userId }: TestUser): Promise<string[]> {
  const { rows } = await testDatabase.database.query<{ type: string }>(
    'select type from outbox where subject_id = $1 order by position',
    [userId],
  );
  return rows.map(({ type }) => type);
}

test('a right code gives nobody else tries again', async () => {
  const [mine, other] = [await aSession(), await aSession()];
  expect((await sessionsFail([other], 5)).at(-1)).toBe('done');
  await testDatabase.database.query(`update sign_in_tries set last_at = last_at - interval '30 seconds'`);
  expect(await tryCode(mine)).toBe('done');
  expect(await showCode(mine)).toBe('done');
  expect(await tryCode(other)).toBe('too_many');
});

test('a token that only reads has none', async () => {
  expect(await tryCode(await aToken([]))).toBe('not_allowed');
  expect(await tryCode(chris.tokenHash)).toBe('done');
});
