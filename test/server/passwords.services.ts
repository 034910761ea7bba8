import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Session } from '../../api/users/session.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aConsoleServer, auditOf, browserOf, ConsoleBrowser, PASSWORD } from './console-browser.ts';

/** Passwords, from the request of a browser to the database. */

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

const execute = (statement: string, ...values: unknown[]) => testDatabase.database.query(statement, values);
const aBrowserOf = (user: TestUser) => browserOf(app, testDatabase, user);

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
    const set = (body: object) => own.send('POST', '/session/password', { body });
    await execute(`update sessions set authenticated_at = authenticated_at - interval '1 hour'`);
    expect((await set({ password: 'another long password' })).statusCode).toBe(409);
    await execute(`update sessions set method = 'password'`);
    expect((await set({ password: 'another long password' })).statusCode).toBe(400);
    expect((await set({ present: 'a wrong password', password: 'another long password' })).statusCode).toBe(403);
    expect((await set({ present: PASSWORD, password: 'short' })).statusCode).toBe(400);
    expect((await set({ present: PASSWORD, password: 'another long password' })).statusCode).toBe(204);
    expect((await browser.signIn(mia.login, PASSWORD)).statusCode).toBe(401);
    expect((await browser.signIn(mia.login, 'another long password')).statusCode).toBe(201);
  });

  test.each([
    ['a common one', 'iloveyou123456'],
    ['a keyboard row', 'qwertyuiopasdf'],
    ['a repetition', 'x'.repeat(200)],
    ['what others call the product', 'payrunpayrun1'],
    ['a common one with a year', 'password2026'],
  ])('that is %s is refused', async (_what, password) => {
    const own = await aBrowserOf(mia);
    const refused = await own.send('POST', '/session/password', { body: { present: PASSWORD, password } });
    expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('would soon be guessed')]);
    expect((await browser.signIn(mia.login, PASSWORD)).statusCode).toBe(201);
  });

  test('that is made of the name of its user is refused to them alone', async () => {
    const [magda, noel] = [
      await aUser(testDatabase, `Magdalena Wiśniewska ${users}`, 'maker'),
      await aUser(testDatabase, `Noel ${users}`, 'maker'),
    ];
    const set = async (user: TestUser) => {
      const own = await aBrowserOf(user);
      const body = { present: PASSWORD, password: 'MagdalenaWiśniewska' };
      return (await own.send('POST', '/session/password', { body })).statusCode;
    };
    expect([await set(magda), await set(noel)]).toEqual([400, 204]);
  });

  test('that is set ends all other sessions of the user', async () => {
    const other = await aBrowserOf(mia);
    const own = new ConsoleBrowser(app);
    await own.signIn(mia.login, PASSWORD);
    await own.send('POST', '/session/password', { body: { present: PASSWORD, password: 'another long password' } });
    expect((await other.send('GET', '/session')).statusCode).toBe(401);
    expect((await own.send('GET', '/session')).statusCode).toBe(200);
  });

  test('that is set ends all tokens of the user, also those of programs', async () => {
    const own = await aBrowserOf(mia);
    const statusOf = async (token: string) =>
      (await app.inject({ url: '/api/v1/me', headers: { authorization: `Bearer ${token}` } })).statusCode;
    const { token } = (await own.send('POST', '/tokens', { body: { label: 'ERP' } })).json<{ token: string }>();
    // The first password has ended the one that she had before.
    expect([await statusOf(token), await statusOf(mia.token)]).toEqual([200, 401]);
    await own.send('POST', '/session/password', { body: { present: PASSWORD, password: 'another long password' } });
    expect(await statusOf(token)).toBe(401);
    expect((await own.send('GET', '/session')).statusCode).toBe(200);
  });

  test('is tried more slowly after failed tries, by all servers together, and an unknown login like a known one', async () => {
    await aBrowserOf(mia);
    const second = aConsoleServer(testDatabase);
    const from = (n: number) => new ConsoleBrowser(n % 2 === 0 ? app : second);
    for (const login of [mia.login, `nobody-${users}`]) {
      const statuses: number[] = [];
      for (let n = 0; n < 5; n += 1) statuses.push((await from(n).signIn(login, 'a wrong password')).statusCode);
      expect(statuses).toEqual([401, 401, 401, 401, 401]);
      const { rows } = await execute('select failures from sign_in_tries where bucket = $1', `login ${login}`);
      expect(rows).toEqual([{ failures: 5 }]);
      // Further ones, without the time that they take.
      await execute(
        'update sign_in_tries set failures = 20, last_at = clock_timestamp() where bucket = $1',
        `login ${login}`,
      );
      for (const n of [0, 1]) {
        const refused = await from(n).signIn(login, PASSWORD);
        expect([refused.statusCode, Number(refused.headers['retry-after']) > 50]).toEqual([429, true]);
      }
    }
    await second.close();
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

  describe('at a browser of two users', () => {
    let chris: TestUser;
    beforeEach(async () => {
      chris = await aUser(testDatabase, `Chris ${users}`, 'checker');
      for (const user of [mia, chris]) {
        await aBrowserOf(user);
        expect((await browser.signIn(user.login, PASSWORD)).statusCode).toBe(201);
      }
    });

    /** As if others had tried passwords of both elsewhere: only a known browser has tries left. */
    const useUpTriesOfStrangers = () =>
      execute(
        `insert into sign_in_tries (bucket, failures) values ('login ' || $1::text, 20), ('login ' || $2::text, 20)
         on conflict (bucket) do update set failures = 20, last_at = clock_timestamp()`,
        mia.login,
        chris.login,
      );
    const copyOf = ({ cookies }: ConsoleBrowser) => {
      const copy = new ConsoleBrowser(app);
      for (const [name, value] of cookies) copy.cookies.set(name, value);
      return copy;
    };

    test('is tried more slowly after failed tries, however often the other one signs in between them', async () => {
      for (let round = 0; round < 3; round += 1) {
        for (let n = 0; n < 4; n += 1) {
          expect([401, 429]).toContain((await browser.signIn(chris.login, 'a wrong password')).statusCode);
        }
        expect((await browser.signIn(mia.login, PASSWORD)).statusCode).toBe(201);
      }
      // Further ones, without the time that they take.
      await execute(
        `update sign_in_tries set failures = 20, last_at = clock_timestamp()
         where failures >= 5 and bucket not like 'login %'`,
      );
      const refused = await browser.signIn(chris.login, PASSWORD);
      expect([refused.statusCode, Number(refused.headers['retry-after']) > 50]).toEqual([429, true]);
      expect((await browser.signIn(mia.login, PASSWORD)).statusCode).toBe(201);
    });

    test('is tried as by a stranger with what the browser kept before one of them signed in', async () => {
      const former = copyOf(browser);
      expect((await browser.signIn(mia.login, PASSWORD)).statusCode).toBe(201);
      await useUpTriesOfStrangers();
      for (const { login } of [mia, chris]) {
        expect((await copyOf(former).signIn(login, PASSWORD)).statusCode).toBe(429);
        expect((await browser.signIn(login, PASSWORD)).statusCode).toBe(201);
      }
    });

    test('signs in from two tabs at the same moment, and the browser stays known, whichever cookie it keeps', async () => {
      const tabs = [browser, copyOf(browser)];
      const answers = await Promise.all(tabs.map((tab) => tab.signIn(mia.login, PASSWORD)));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
      await useUpTriesOfStrangers();
      for (const tab of tabs) expect((await tab.signIn(mia.login, PASSWORD)).statusCode).toBe(201);
    });
  });

  describe('while somebody floods the sign-in', () => {
    const flood = () =>
      Array.from({ length: 80 }, (_, n) => new ConsoleBrowser(app).signIn(`flood-${users}-${n}`, 'a wrong password'));

    test('signs in at a browser that its user has signed in with before', async () => {
      await aBrowserOf(mia);
      expect((await browser.signIn(mia.login, PASSWORD)).statusCode).toBe(201);
      const tries = flood();
      expect((await browser.signIn(mia.login, PASSWORD)).statusCode).toBe(201);
      const statuses = (await Promise.all(tries)).map(({ statusCode }) => statusCode);
      expect(new Set(statuses)).toEqual(new Set([401, 503]));
    });

    test('that is refused for want of a place counts as no failed try', async () => {
      const statuses = (await Promise.all(flood())).map(({ statusCode }) => statusCode);
      expect(statuses).toContain(503);
      const { rowCount } = await execute('select from sign_in_tries where bucket like $1', `login flood-${users}-%`);
      expect(rowCount).toBe(statuses.filter((status) => status === 401).length);
    });

    test('is set by whoever is signed in', async () => {
      const own = await aBrowserOf(mia);
      const tries = flood();
      const body = { present: PASSWORD, password: 'another long password' };
      expect((await own.send('POST', '/session/password', { body })).statusCode).toBe(204);
      await Promise.all(tries);
    });
  });

  test('that fails is in the audit trail, with the user and without what was entered', async () => {
    await aBrowserOf(mia);
    await browser.signIn(mia.login, 'a wrong password');
    await expect
      .poll(() => auditOf(testDatabase, mia))
      .toContainEqual({ kind: 'sign_in_refused', why: 'wrong_password' });
    const { rows } = await testDatabase.database.query(
      `select from audit_entries where detail::text like '%a wrong password%'`,
    );
    expect(rows).toEqual([]);
  });
});
