import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installLink } from '../../store/users/owner-users.ts';
import { tableUnder } from '../helpers/document-tables.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, limitTo } from '../helpers/users.ts';
import { aConsoleServer, ConsoleBrowser } from './console-browser.ts';
import { RunsInApproval } from '../store/runs-in-approval.ts';

/**
 * Every route of the API, by those whom nothing may answer: with the real record. What roles may do is tried cell by cell in
 * `server-access.test.ts`, what users of other accounts may in `access-of-accounts.services.ts`.
 */

type Method = 'GET' | 'POST' | 'DELETE';

let testDatabase: TestDatabase;
let app: FastifyInstance;
let runId: string;

const ROLES = ['maker', 'checker', 'treasurer', 'onboarder', 'viewer'] as const;
const ROUTES = tableUnder('security.md', 'Roles and routes').map(({ route = '', anyone }) => {
  const [method = '', path = ''] = route.split(' ');
  return { route, method: method as Method, path, isOpen: anyone === 'yes' };
});
const CLOSED = ROUTES.filter(({ isOpen }) => !isOpen);
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  app = aConsoleServer(testDatabase);
  ({ runId } = await (await RunsInApproval.of(testDatabase)).aRun(1));
});
afterAll(async () => {
  await app.close();
  await testDatabase.drop();
});

const execute = (statement: string, ...values: unknown[]) => testDatabase.database.query(statement, values);
const urlOf = (path: string) => path.replace('{runId}', runId).replaceAll(/\{\w+\}/g, runId);

async function statusesOf(routes: typeof ROUTES, headers: Record<string, string>): Promise<Set<string>> {
  const all = new Set<string>();
  for (const { method, path, route } of routes) {
    const { statusCode } = await app.inject({ method, url: urlOf(path), headers });
    if (statusCode !== 401) all.add(`${route}: ${statusCode}`);
  }
  return all;
}

test.each([
  ['revoked', 'update api_tokens set revoked_at = now() where user_id = $1'],
  ['expired', `update api_tokens set expires_at = now() - interval '1 second' where user_id = $1`],
  ['of a disabled user', 'update users set disabled_at = now() where user_id = $1'],
])('no route answers a token that is %s, whatever the roles of its user', async (why, statement) => {
  const user = await aUser(testDatabase, `Former ${why}`, ...ROLES);
  await execute(statement, user.userId);
  expect(await statusesOf(CLOSED, { authorization: `Bearer ${user.token}` })).toEqual(new Set());
});

test.each([
  ['ended', 'update api_tokens set revoked_at = now() where user_id = $1'],
  ['idle', `update api_tokens set created_at = now() - interval '31 minutes', last_used_at = null where user_id = $1`],
  ['over', `update api_tokens set expires_at = now() - interval '1 second' where user_id = $1`],
  ['of a disabled user', 'update users set disabled_at = now() where user_id = $1'],
])('no route answers a session that is %s', async (why, statement) => {
  const user = await aUser(testDatabase, `Guest ${why}`, 'maker', 'checker');
  const browser = new ConsoleBrowser(app);
  await browser.signInByLink(await installLink(testDatabase.url, user.login, Date.now));
  const { secret } = browser;
  await execute(statement, user.userId);
  const headers = {
    ...{ host: 'localhost:8700', origin: 'http://localhost:8700', 'x-payrun-console': '1' },
    cookie: `payrun_session=${secret}`,
  };
  expect(await statusesOf(CLOSED, headers)).toEqual(new Set());
});

test.each(['/tokens', '/sessions'])('%s of others are not listed to an administrator who is limited', async (path) => {
  const name = `Ada${path.replace('/', ' of ')}`;
  const ada = await aUser(testDatabase, name, 'administrator');
  const browser = new ConsoleBrowser(app);
  await browser.signInByLink(await installLink(testDatabase.url, ada.login, Date.now));
  const listed = async () => {
    const lists = (await browser.send('GET', path)).json<Record<string, { login: string }[]>>();
    return new Set(Object.values(lists).flatMap((list) => list.map(({ login }) => login)));
  };
  expect((await listed()).size).toBeGreaterThan(1);
  await limitTo(testDatabase.database, ada, 'another');
  expect(await listed()).toEqual(new Set([ada.login]));
});
