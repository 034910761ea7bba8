import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Session, SessionSummary } from '../../api/users/session.ts';
import type { ApplicationDependencies } from '../../application/application-dependencies.ts';
import { installLink } from '../../store/users/owner-users.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, limitTo, type TestUser } from '../helpers/users.ts';
import { aConsoleServer, auditOf, browserOf, ConsoleBrowser, PASSWORD } from './console-browser.ts';

/** Sessions of the console on a real database, from the request of a browser to the database. */

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

const aBrowserOf = (user: TestUser) => browserOf(app, testDatabase, user);

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
      mayChangeSignIn: { needsNoReauthentication: true },
      approval: { needsSecondFactor: false },
    });
    const again = await new ConsoleBrowser(app).signInByLink(code);
    expect(again.statusCode).toBe(401);
    expect(again.cookies).toEqual([]);
    expect((await auditOf(testDatabase, mia)).map(({ kind }) => kind)).toContain('session_begun');
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

describe('a session', () => {
  test('acts as its user with every route, and shows what they may do', async () => {
    const own = await aBrowserOf(mia);
    expect((await own.send('GET', '/runs')).statusCode).toBe(200);
    expect((await own.send('GET', '/users')).statusCode).toBe(403);
    const issued = await own.send('POST', '/tokens', { body: { label: 'mine' } });
    expect(issued.statusCode).toBe(201);
    expect((await own.send('GET', '/me')).json()).toMatchObject({ userId: mia.userId });
  });

  test('says which of the configured accounts its user may pay from', async () => {
    const accounts = ['default', 'subsidiary'].map((name) => ({
      name,
    })) as unknown as ApplicationDependencies['accounts'];
    const server = aConsoleServer(testDatabase, { accounts });
    const limited = await aUser(testDatabase, `Dana ${users}`, 'maker');
    await limitTo(testDatabase.database, limited, 'subsidiary');
    const usableOf = async (user: TestUser): Promise<string[]> => {
      const session = await new ConsoleBrowser(server).signInByLink(await aLink(user));
      return session.json<Session>().usableAccounts;
    };
    expect(await usableOf(mia)).toEqual(['default', 'subsidiary']);
    expect(await usableOf(limited)).toEqual(['subsidiary']);
    await server.close();
  });

  test('is not a token, and a token is no session', async () => {
    const own = await aBrowserOf(mia);
    const asToken = await app.inject({ url: '/api/v1/me', headers: { authorization: `Bearer ${own.secret}` } });
    expect(asToken.statusCode).toBe(401);
    const { token } = (await own.send('POST', '/tokens', { body: { label: 'ERP' } })).json<{ token: string }>();
    const byToken = await app.inject({ url: '/api/v1/me', headers: { authorization: `Bearer ${token}` } });
    expect(byToken.statusCode).toBe(200);
    browser.cookies.set('payrun_session', token);
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
      `select issue_token(sha256(convert_to($1, 'UTF8')), 'x', 'x', now() + interval '1 day', '{read}') as answer`,
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
