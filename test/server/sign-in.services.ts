import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Session, SessionSummary } from '../../api/users/session.ts';
import { installLink } from '../../store/users/owner-users.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aConsoleServer, ConsoleBrowser } from './console-browser.ts';

/** Sessions of the console on a real database, from the request of a browser to the record. */

const PASSWORD = 'correct horse battery staple';

let testDatabase: TestDatabase;
let app: FastifyInstance;
let users = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  app = aConsoleServer(testDatabase);
});
afterAll(async () => {
  await app.close();
  await testDatabase.drop();
});

let mia: TestUser;
let browser: ConsoleBrowser;
beforeEach(async () => {
  users += 1;
  mia = await aUser(testDatabase, `Mia ${users}`, 'maker');
  browser = new ConsoleBrowser(app);
});

const aLink = (user: TestUser) => installLink(testDatabase.url, user.login, Date.now);
const execute = (statement: string, ...values: unknown[]) => testDatabase.database.query(statement, values);

/** A browser in which the user has signed in by a link, and set a password. */
async function aBrowserOf(user: TestUser): Promise<ConsoleBrowser> {
  const own = new ConsoleBrowser(app);
  expect((await own.signInByLink(await aLink(user))).statusCode).toBe(201);
  expect((await own.send('POST', '/session/password', { body: { password: PASSWORD } })).statusCode).toBe(204);
  return own;
}

async function auditOf(user: TestUser): Promise<{ kind: string; why: unknown }[]> {
  const { rows } = await testDatabase.database.query<{ kind: string; why: unknown }>(
    `select kind, detail -> 'why' as why from audit_entries where actor = $1 or detail ->> 'user' = $1 order by entry_id`,
    [user.userId],
  );
  return rows;
}

describe('a one-time link', () => {
  test('signs its user in, once', async () => {
    const code = await aLink(mia);
    const response = await browser.signInByLink(code);
    expect(response.statusCode).toBe(201);
    expect(response.json<Session>()).toMatchObject({
      method: 'link',
      user: { userId: mia.userId, login: mia.login },
      roles: ['maker'],
      hasPassword: false,
      mayChangeSignIn: { withoutPresent: true },
      approval: { needsSecondFactor: false },
    });
    const again = await new ConsoleBrowser(app).signInByLink(code);
    expect(again.statusCode).toBe(401);
    expect(again.cookies).toEqual([]);
    expect((await auditOf(mia)).map(({ kind }) => kind)).toContain('session_begun');
  });

  test('that two browsers use at the same moment signs one of them in', async () => {
    const code = await aLink(mia);
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async () => (await new ConsoleBrowser(app).signInByLink(code)).statusCode),
    );
    expect(statuses.sort()).toEqual([201, 401, 401, 401, 401]);
  });

  test('does not work after its time, nor for a disabled user', async () => {
    const late = await aLink(mia);
    await execute(`update invitations set expires_at = clock_timestamp() where user_id = $1`, mia.userId);
    expect((await browser.signInByLink(late)).statusCode).toBe(401);
    const code = await aLink(mia);
    await execute('update users set disabled_at = now() where user_id = $1', mia.userId);
    expect((await browser.signInByLink(code)).statusCode).toBe(401);
  });

  test('that was exchanged for a token makes no session', async () => {
    const code = await aLink(mia);
    const accepted = await app.inject({ method: 'POST', url: '/api/v1/invitations/accept', payload: { code } });
    expect(accepted.statusCode).toBe(201);
    expect((await browser.signInByLink(code)).statusCode).toBe(401);
  });
});

describe('a password', () => {
  test('signs in, whatever the case of the login', async () => {
    await aBrowserOf(mia);
    const response = await browser.signIn(mia.login.toUpperCase(), PASSWORD);
    expect(response.statusCode).toBe(201);
    expect(response.json<Session>()).toMatchObject({ method: 'password', hasPassword: true });
    expect((await browser.signIn(mia.login, `${PASSWORD}!`)).statusCode).toBe(401);
  });

  test('is stored nowhere, and neither is what signs in', async () => {
    const own = await aBrowserOf(mia);
    const { rows } = await testDatabase.database.query<{ all: string }>(
      `select concat((select json_agg(passwords) from passwords), (select json_agg(api_tokens) from api_tokens),
         (select json_agg(sessions) from sessions), (select json_agg(audit_entries) from audit_entries)) as all`,
    );
    const stored = rows[0]?.all ?? '';
    expect(stored).toContain('verifier');
    for (const secret of [PASSWORD, own.secret]) expect(stored).not.toContain(secret);
  });

  test('is set with the present one, or soon after a sign-in', async () => {
    const own = await aBrowserOf(mia);
    await execute(`update sessions set begun_at = begun_at - interval '1 hour', method = 'password'`);
    const set = (body: object) => own.send('POST', '/session/password', { body });
    expect((await set({ password: 'another long password' })).statusCode).toBe(409);
    expect((await set({ present: 'a wrong password', password: 'another long password' })).statusCode).toBe(403);
    expect((await set({ present: PASSWORD, password: 'short' })).statusCode).toBe(400);
    expect((await set({ present: PASSWORD, password: 'another long password' })).statusCode).toBe(204);
    expect((await browser.signIn(mia.login, PASSWORD)).statusCode).toBe(401);
    expect((await browser.signIn(mia.login, 'another long password')).statusCode).toBe(201);
  });

  test('that is set ends all other sessions of the user', async () => {
    const other = await aBrowserOf(mia);
    const own = new ConsoleBrowser(app);
    await own.signIn(mia.login, PASSWORD);
    await own.send('POST', '/session/password', { body: { present: PASSWORD, password: 'another long password' } });
    expect((await other.send('GET', '/session')).statusCode).toBe(401);
    expect((await own.send('GET', '/session')).statusCode).toBe(200);
  });

  test('is tried more slowly after failed tries, by all servers together, and an unknown login like a known one', async () => {
    await aBrowserOf(mia);
    const second = aConsoleServer(testDatabase);
    const statuses: Record<string, number[]> = {};
    for (const login of [mia.login, `nobody-${users}`]) {
      const tries = statuses[login] ?? (statuses[login] = []);
      for (let n = 0; n < 7; n += 1) {
        const from = new ConsoleBrowser(n % 2 === 0 ? app : second);
        tries.push((await from.signIn(login, 'a wrong password')).statusCode);
      }
    }
    await second.close();
    const slowed = statuses[mia.login] ?? [];
    expect(slowed.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(slowed.slice(5)).toContain(429);
    expect(statuses[`nobody-${users}`]?.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(statuses[`nobody-${users}`]).toContain(429);
    const refused = await browser.signIn(mia.login, PASSWORD);
    if (refused.statusCode === 429) expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('that others try elsewhere does not keep a browser out that its user has signed in with', async () => {
    await aBrowserOf(mia);
    expect((await browser.signIn(mia.login, PASSWORD)).statusCode).toBe(201);
    await execute(
      `insert into sign_in_tries (bucket, failures) values ('login ' || $1::text, 20)
       on conflict (bucket) do update set failures = 20, last_at = clock_timestamp()`,
      mia.login,
    );
    expect((await new ConsoleBrowser(app).signIn(mia.login, PASSWORD)).statusCode).toBe(429);
    expect((await browser.signIn(mia.login, PASSWORD)).statusCode).toBe(201);
    // Nobody is kept out for good.
    await execute(`update sign_in_tries set last_at = last_at - interval '61 seconds'`);
    expect((await new ConsoleBrowser(app).signIn(mia.login, PASSWORD)).statusCode).toBe(201);
  });

  test('that fails is in the audit trail, with the user and without what was entered', async () => {
    await aBrowserOf(mia);
    await browser.signIn(mia.login, 'a wrong password');
    await expect.poll(() => auditOf(mia)).toContainEqual({ kind: 'sign_in_refused', why: 'wrong_password' });
    const { rows } = await testDatabase.database.query(
      `select from audit_entries where detail::text like '%a wrong password%'`,
    );
    expect(rows).toEqual([]);
  });
});

describe('a session', () => {
  test('acts as its user with every route, and shows what they may do', async () => {
    const own = await aBrowserOf(mia);
    expect((await own.send('GET', '/runs')).statusCode).toBe(200);
    expect((await own.send('GET', '/users')).statusCode).toBe(403);
    const issued = await own.send('POST', '/tokens', { body: { label: 'mine' } });
    expect(issued.statusCode).toBe(201);
    expect((await own.send('GET', '/me')).json()).toMatchObject({ userId: mia.userId });
  });

  test('is not a token, and a token is no session', async () => {
    const own = await aBrowserOf(mia);
    const asToken = await app.inject({ url: '/api/v1/me', headers: { authorization: `Bearer ${own.secret}` } });
    expect(asToken.statusCode).toBe(401);
    browser.cookies.set('payrun_session', mia.token);
    expect((await browser.send('GET', '/me')).statusCode).toBe(401);
    const tokens = (await own.send('GET', '/tokens')).json<{ tokens: { label: string }[] }>();
    expect(tokens.tokens.map(({ label }) => label)).not.toContain('console');
  });

  test('that a browser brings along is never the one that its user signs in to (session fixation)', async () => {
    const attacker = await aUser(testDatabase, `Eve ${users}`, 'viewer');
    const planted = (await aBrowserOf(attacker)).secret;
    browser.cookies.set('payrun_session', planted);
    await browser.signInByLink(await aLink(mia));
    expect(browser.secret).not.toBe(planted);
    expect((await browser.send('GET', '/me')).json()).toMatchObject({ userId: mia.userId });
    const eve = new ConsoleBrowser(app);
    eve.cookies.set('payrun_session', planted);
    expect((await eve.send('GET', '/me')).statusCode).toBe(401);
    // Nor does an invented value become one.
    const another = new ConsoleBrowser(app);
    another.cookies.set('payrun_session', 'chosen-by-somebody');
    await another.signIn(mia.login, 'a wrong password');
    expect((await another.send('GET', '/me')).statusCode).toBe(401);
  });

  test('has another value after a password was set; the former one reads for a moment, and decides nothing', async () => {
    await browser.signInByLink(await aLink(mia));
    const former = new ConsoleBrowser(app);
    former.cookies.set('payrun_session', browser.secret);
    await browser.send('POST', '/session/password', { body: { password: PASSWORD } });
    expect(browser.secret).not.toBe(former.secret);
    expect((await former.send('GET', '/me')).statusCode).toBe(200);
    expect((await former.send('POST', '/tokens', { body: { label: 'late' } })).statusCode).toBe(401);
    await execute(`update sessions set previous_until = clock_timestamp()`);
    expect((await former.send('GET', '/me')).statusCode).toBe(401);
    expect((await browser.send('GET', '/me')).statusCode).toBe(200);
  });

  test.each([
    [
      'without use',
      `update api_tokens set last_used_at = now() - interval '31 minutes', created_at = now() - interval '1 hour'`,
    ],
    ['after its time, however much it is used', 'update api_tokens set expires_at = now()'],
    ['with its user', 'update users set disabled_at = now()'],
  ])('ends %s', async (_how, statement) => {
    const own = await aBrowserOf(mia);
    await execute(`${statement} where user_id = $1`, mia.userId);
    const response = await own.send('GET', '/session');
    expect([response.statusCode, response.json<{ error: { code: string } }>().error.code]).toEqual([401, 'signed_out']);
    expect(own.cookies.has('payrun_session')).toBe(false);
  });

  test('that ended without use cannot decide either, whatever the server says', async () => {
    const own = await aBrowserOf(mia);
    await execute(`update api_tokens set last_used_at = now() - interval '31 minutes' where user_id = $1`, mia.userId);
    const { rows } = await testDatabase.asServer.query<{ answer: object }>(
      `select issue_token(sha256(convert_to($1, 'UTF8')), 'x', 'x', now() + interval '1 day') as answer`,
      [own.secret],
    );
    expect(rows).toMatchObject([{ answer: { refused: 'unauthenticated' } }]);
  });

  test('is not kept by a page that only shows what is new', async () => {
    const own = await aBrowserOf(mia);
    const lastUse = async () =>
      (await own.send('GET', '/sessions'))
        .json<{ sessions: SessionSummary[] }>()
        .sessions.map(({ lastUsedAt }) => lastUsedAt);
    await execute(`update api_tokens set last_used_at = now() - interval '20 minutes' where user_id = $1`, mia.userId);
    await own.sendAs({ 'x-payrun-console': 'background' }, 'GET', '/me');
    const { rows } = await testDatabase.database.query<{ old: boolean }>(
      `select last_used_at < now() - interval '19 minutes' as old from api_tokens join sessions on session_id = token_id
       where user_id = $1`,
      [mia.userId],
    );
    expect(rows).toEqual([{ old: true }]);
    expect(await lastUse()).toHaveLength(1);
  });

  test('ends when its user loses a role, is disabled, or signs out', async () => {
    const ada = await aUser(testDatabase, `Ada ${users}`, 'administrator');
    const asAda = { headers: { authorization: `Bearer ${ada.token}` } };
    const own = await aBrowserOf(mia);
    await app.inject({ method: 'DELETE', url: `/api/v1/users/${mia.userId}/roles/maker`, ...asAda });
    expect((await own.send('GET', '/session')).statusCode).toBe(401);
    expect((await browser.signIn(mia.login, PASSWORD)).statusCode).toBe(201);
    expect((await browser.send('DELETE', '/session')).statusCode).toBe(204);
    expect((await browser.send('GET', '/session')).statusCode).toBe(401);
    expect((await browser.signIn(mia.login, PASSWORD)).statusCode).toBe(201);
    await app.inject({ method: 'POST', url: `/api/v1/users/${mia.userId}/disable`, ...asAda });
    expect((await browser.send('GET', '/session')).statusCode).toBe(401);
    expect((await browser.signIn(mia.login, PASSWORD)).statusCode).toBe(401);
  });

  test('is listed for its user, and ended by them or by an administrator alone', async () => {
    const own = await aBrowserOf(mia);
    const stranger = await aBrowserOf(await aUser(testDatabase, `Sam ${users}`, 'checker'));
    const listed = async (by: ConsoleBrowser) =>
      (await by.send('GET', '/sessions')).json<{ sessions: SessionSummary[] }>().sessions;
    const [session] = await listed(own);
    expect(session).toMatchObject({ userId: mia.userId, isThis: true, isActive: true, method: 'link' });
    const path = `/sessions/${session?.sessionId ?? ''}`;
    expect((await listed(stranger)).map(({ userId }) => userId)).not.toContain(mia.userId);
    expect((await stranger.send('DELETE', path)).statusCode).toBe(403);
    const ada = await aUser(testDatabase, `Ada of ${users}`, 'administrator');
    const headers = { authorization: `Bearer ${ada.token}` };
    expect((await app.inject({ method: 'DELETE', url: `/api/v1${path}`, headers })).statusCode).toBe(204);
    expect((await own.send('GET', '/session')).statusCode).toBe(401);
  });
});
