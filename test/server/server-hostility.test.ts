import { connect } from 'node:net';
import type { InjectOptions } from 'fastify';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { tableUnder } from '../helpers/document-tables.ts';
import { anApp, aServer } from './server-harness.ts';

/** What other sites, slow senders and wrong methods meet, at every address of the API. */

type Method = NonNullable<InjectOptions['method']>;

const ID = '018f2a00-0000-7000-8000-000000000001';
const ROUTES = tableUnder('security.md', 'Roles and routes').map(({ route = '', anyone }) => {
  const [method = '', path = ''] = route.split(' ');
  return { route, method: method as Method, path, url: path.replaceAll(/\{\w+\}/g, ID), isOpen: anyone === 'yes' };
});
/** What of these anyone may call needs a body to be read; the others are refused before that. */
const OPEN_BODIES: Readonly<Record<string, object>> = { 'POST /api/v1/session': { login: 'checker', password: 'x' } };
/** A code is exchanged for a token in the answer, which another site cannot read: no cookie is used or set. */
const WITHOUT_COOKIES = ['POST /api/v1/invitations/accept'];
const CHANGING = ROUTES.filter(({ method, route }) => method !== 'GET' && !WITHOUT_COOKIES.includes(route));

function withSession() {
  const setup = anApp({}, afterAll);
  const user = setup.application.users.get('checker-token-1') ?? [...setup.application.users.values()][0];
  if (user === undefined) throw new Error('the fake application has no users');
  return { ...setup, cookie: `payrun_session=${setup.application.aSession(user)}` };
}

const CONSOLE = { host: 'localhost:8700', 'x-payrun-console': '1' };

describe('with the cookie of a session', () => {
  const { app, cookie } = withSession();

  it.each(CHANGING)('$route is refused when another site makes the browser send it', async ({ method, url, route }) => {
    const foreign: Record<string, string>[] = [
      { ...CONSOLE, origin: 'https://evil.example' },
      { ...CONSOLE, origin: 'null' },
      { ...CONSOLE, 'sec-fetch-site': 'cross-site' },
      { ...CONSOLE, 'sec-fetch-site': 'same-site', origin: 'http://localhost:8700' },
      // Neither is said by a browser of today, so it is none.
      CONSOLE,
      // A form of another page cannot set the header.
      { host: 'localhost:8700', origin: 'http://localhost:8700', 'sec-fetch-site': 'same-origin' },
    ];
    for (const headers of foreign) {
      const response = await app.inject({
        ...{ method, url, headers: { ...headers, cookie } },
        ...(OPEN_BODIES[route] === undefined ? {} : { payload: OPEN_BODIES[route] }),
      });
      expect([headers, response.statusCode]).toEqual([headers, 403]);
      expect(response.json()).toMatchObject({ error: { message: expect.stringContaining('other sites') as string } });
    }
  });

  it('what anyone may change without a cookie sets none, and lets no other site read its answer', async () => {
    const payload = { code: 'x', label: 'x', validDays: 1 };
    const { headers } = await app.inject({
      ...{ method: 'POST', url: '/api/v1/invitations/accept', payload },
      headers: { ...CONSOLE, origin: 'https://evil.example', cookie },
    });
    expect([headers['set-cookie'], headers['access-control-allow-origin']]).toEqual([undefined, undefined]);
  });
});

describe('a method that an address does not have', () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
  const addresses = [...new Set(ROUTES.map(({ path }) => path))].map((path) => {
    const url = path.replaceAll(/\{\w+\}/g, ID);
    // A fixed part of one address may also be the parameter of another.
    const has = ROUTES.filter((route) => new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(url));
    return { path, url, allowed: has.map(({ method }) => method).sort() };
  });

  const { app } = anApp({}, afterAll);

  it.each(addresses)('$path says which it has', async ({ url, allowed }) => {
    for (const method of methods.filter((each) => !allowed.includes(each))) {
      const { statusCode, headers, ...response } = await app.inject({ method, url });
      expect([method, statusCode]).toEqual([method, 405]);
      const named = String(headers['allow']).split(', ');
      expect(named).toEqual(expect.arrayContaining(allowed));
      expect(named).not.toContain(method);
      expect(response.json()).toMatchObject({ error: { code: 'method_not_allowed' } });
    }
  });

  it('is not said of an address where there is nothing', async () => {
    for (const url of ['/api/v1/nothing', '/api/v1', '/api/v1/runs/a/b/c/d', '/api/v1/runs/../../etc/passwd/x'])
      expect([url, (await app.inject({ method: 'POST', url })).statusCode]).toEqual([url, 404]);
  });
});

describe('the character NUL, which Postgres does not store', () => {
  const reads = ROUTES.filter(({ method, path }) => method === 'GET' && !path.includes('session'));
  const { app } = anApp({}, afterAll);
  const headers = { authorization: 'Bearer checker-token-1' };

  it.each(reads)('is refused in a parameter of $route', async ({ url, isOpen }) => {
    const { statusCode } = await app.inject({ url: `${url}?account=a%00b`, headers });
    expect(isOpen ? [200, 303, 400] : [400, 403]).toContain(statusCode);
  });

  it('is refused in the address itself, and in a body', async () => {
    expect((await app.inject({ url: `/api/v1/runs/${ID}/rows/a%00b`, headers })).statusCode).toBe(400);
    const url = `/api/v1/runs/${ID}/reject`;
    for (const payload of [{ comment: 'a\0b' }, { comment: 'a', more: [{ 'b\0': 1 }] }]) {
      const answer = await app.inject({ method: 'POST', url, headers, payload });
      expect(answer.json()).toEqual({
        error: { code: 'invalid_input', message: 'body: must not contain the character NUL' },
      });
    }
  });
});

it('a method that HTTP got later is answered as one that the address does not have', async () => {
  const { server } = await aServer();
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.end(
    'QUERY /api/v1/runs HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\ncontent-type: text/x\r\nconnection: close\r\n\r\n{}',
  );
  let answer = '';
  for await (const piece of socket) answer += String(piece);
  expect(answer).toMatch(/^HTTP\/1\.1 405 /);
  expect(answer.toLowerCase()).toContain('allow: get, post');
});
