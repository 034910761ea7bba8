import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Secret, TOTP } from 'otpauth';
import type { Session } from '../../api/users/session.ts';
import type { Role } from '../../domain/users/role.ts';
import { installLink } from '../../store/users/owner-users.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser } from '../helpers/users.ts';
import { aConsoleServer, ConsoleBrowser } from './console-browser.ts';

/** A sign-in with a password that takes a second factor, from the browser to the database. */

const PASSWORD = 'a long enough password';

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
beforeEach(() => demanded(true));

const execute = (statement: string, ...values: unknown[]) => testDatabase.database.query(statement, values);

async function demanded(signIn: boolean | null): Promise<void> {
  await execute(`insert into policies (policy) select current_policy() || $1::jsonb`, {
    secondFactor: { approvals: false, changes: false, ...(signIn === null ? {} : { signIn }) },
  });
}

/** A user with a password and, unless it says otherwise, an app that shows codes. */
async function aUserWithPassword(role: Role, hasApp = true): Promise<{ login: string; totp: TOTP | null }> {
  users += 1;
  const { login } = await aUser(testDatabase, `User ${users}`, role);
  const browser = new ConsoleBrowser(app);
  await browser.signInByLink(await installLink(testDatabase.url, login, Date.now));
  let totp: TOTP | null = null;
  if (hasApp) {
    const { secret } = (await browser.send('POST', '/session/totp')).json<{ secret: string }>();
    totp = new TOTP({ secret: Secret.fromBase32(secret) });
    await browser.send('POST', '/session/totp/confirm', { body: { code: totp.generate() } });
    await execute('update totp_factors set last_step = 0');
  }
  await browser.send('POST', '/session/password', { body: { password: PASSWORD } });
  return { login, totp };
}

async function signedIn(login: string): Promise<{ browser: ConsoleBrowser; session: Session }> {
  const browser = new ConsoleBrowser(app);
  const answer = await browser.send('POST', '/session', { body: { login, password: PASSWORD } });
  expect(answer.statusCode).toBe(201);
  return { browser, session: answer.json() };
}

const SESSION = { kind: 'session' };
const codeOf = (answer: { json: () => unknown }) => (answer.json() as { error?: { code: string } }).error?.code;

test('of somebody who may more than read does nothing until a second factor was shown', async () => {
  const { login, totp } = await aUserWithPassword('checker');
  const { browser, session } = await signedIn(login);
  expect(session).toMatchObject({ awaitsSecondFactor: true, permissions: [], factors: { passkeys: [] } });
  expect(codeOf(await browser.send('GET', '/runs'))).toBe('second_factor_needed');
  expect(codeOf(await browser.send('POST', '/session/totp'))).toBe('second_factor_needed');
  const another = { kind: 'sign_in' };
  const code = totp?.generate();
  expect(codeOf(await browser.send('POST', '/session/step-up/totp', { body: { subject: another, code } }))).toBe(
    'not_allowed',
  );
  expect((await browser.send('POST', '/session/step-up/totp', { body: { subject: SESSION, code } })).statusCode).toBe(
    200,
  );
  const after = (await browser.send('GET', '/session')).json<Session>();
  expect(after).toMatchObject({ awaitsSecondFactor: false });
  expect(after.permissions).toContain('decide_run');
  expect((await browser.send('GET', '/runs')).statusCode).toBe(200);
});

test('that awaits one decides nothing in the database, whatever a server lets through', async () => {
  const { login } = await aUserWithPassword('administrator');
  await signedIn(login);
  await execute(`update api_tokens set stored_hash = sha256('\\x01'::bytea)
    where token_id = (select session_id from sessions where awaits_factor order by begun_at desc limit 1)`);
  const user = await execute(
    `select (session_of('\\x01')).user_id as acts, (holder_of('\\x01')).user_id is not null as is_known`,
  );
  expect(user.rows).toEqual([{ acts: null, is_known: true }]);
});

test('ends at the wish of whoever has none to show', async () => {
  const { login } = await aUserWithPassword('maker', false);
  const { browser, session } = await signedIn(login);
  expect(session).toMatchObject({ awaitsSecondFactor: true, factors: { totp: null } });
  expect((await browser.send('DELETE', '/session')).statusCode).toBe(204);
  expect((await browser.send('GET', '/session')).statusCode).toBe(401);
});

test.each([
  ['of a viewer', 'viewer' as const, true],
  ['of an auditor', 'auditor' as const, true],
  ['where the policy says so', 'checker' as const, false],
  ['with the sandbox', 'checker' as const, null],
])('takes none %s', async (_when, role, signIn) => {
  const { login } = await aUserWithPassword(role);
  await demanded(signIn);
  expect((await signedIn(login)).session.awaitsSecondFactor).toBe(false);
});

test('takes one with a real provider, and none by a one-time link', async () => {
  const { login } = await aUserWithPassword('checker');
  await demanded(null);
  await execute(
    `insert into provider_accounts (account, api_address, access_key, is_sandbox) values ('a', 'https://a', 'k', false)`,
  );
  expect((await signedIn(login)).session.awaitsSecondFactor).toBe(true);
  const browser = new ConsoleBrowser(app);
  await browser.signInByLink(await installLink(testDatabase.url, login, Date.now));
  expect((await browser.send('GET', '/session')).json<Session>().awaitsSecondFactor).toBe(false);
});
