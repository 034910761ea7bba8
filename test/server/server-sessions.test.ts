import { describe, expect, it } from 'vitest';
import { anApp, type TestApp } from './server-harness.ts';
import { TOKENS } from './fake-application.ts';

/** What the server decides of a request with the cookie of a session, before any use case is asked. */

function signedIn(fields: Parameters<typeof anApp>[0] = {}): TestApp & { cookie: string } {
  const setup = anApp(fields);
  const user = setup.application.users.get(TOKENS.viewer);
  if (user === undefined) throw new Error('there is no viewer');
  return { ...setup, cookie: `payrun_session=${setup.application.aSession(user)}` };
}

const OURS = { origin: 'http://localhost:8700', 'sec-fetch-site': 'same-origin', 'x-payrun-console': '1' };
const STOP = { method: 'POST', url: '/api/v1/tokens', payload: { label: 'mine' } } as const;

describe('a request with the cookie of a session that changes something', () => {
  it.each<[string, Record<string, string>, number]>([
    ['of the console', OURS, 201],
    ['of the console behind a proxy that hides Sec-Fetch-Site', without('sec-fetch-site'), 201],
    ['without the header of the console', without('x-payrun-console'), 403],
    ['that says neither where it comes from nor to what site', { 'x-payrun-console': '1' }, 403],
    ['of another site', { ...OURS, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 403],
    [
      'of another site that is known by its origin alone',
      { ...without('sec-fetch-site'), origin: 'https://evil.example' },
      403,
    ],
    ['of another name of the same site', { ...OURS, 'sec-fetch-site': 'same-site' }, 403],
    ['of another port of this machine', { ...OURS, origin: 'http://localhost:9999' }, 403],
    ['of a page without an origin', { ...OURS, origin: 'null' }, 403],
  ])('%s', async (_whose, headers, status) => {
    const { app, cookie } = signedIn();
    const response = await app.inject({ ...STOP, headers: { host: 'localhost:8700', cookie, ...headers } });
    expect(response.statusCode).toBe(status);
  });

  it('needs none of that by a token', async () => {
    const { as } = signedIn();
    expect((await as('viewer', STOP)).statusCode).toBe(201);
  });

  it('may come by the public address of a proxy that asks under another name', async () => {
    const { app, application } = anApp({ publicUrl: 'https://pay.example.com' });
    const user = application.users.get(TOKENS.viewer);
    if (user === undefined) throw new Error('there is no viewer');
    const cookie = `__Host-payrun_session=${application.aSession(user)}`;
    const headers = { ...OURS, host: '10.0.0.7:8700', cookie };
    const from = (origin: string) => app.inject({ ...STOP, headers: { ...headers, origin } });
    expect((await from('https://pay.example.com')).statusCode).toBe(201);
    expect((await from('https://pay.example.com.evil.example')).statusCode).toBe(403);
  });
});

describe('signing in', () => {
  const signIn = {
    method: 'POST',
    url: '/api/v1/session',
    payload: { login: 'viewer', password: 'a password' },
  } as const;

  it('is refused when another site makes the browser do it', async () => {
    const { app, application } = signedIn();
    expect(
      (await app.inject({ ...signIn, headers: { host: 'localhost:8700', origin: 'https://evil.example' } })).statusCode,
    ).toBe(403);
    expect(application.ended).toEqual([]);
  });

  it.each([
    ['localhost:8700', OURS.origin, 'payrun_session', false, null],
    ['127.0.0.1:8700', 'http://127.0.0.1:8700', 'payrun_session', false, null],
    ['127.0.0.1:8700', 'http://127.0.0.1:8700', 'payrun_session', false, 'http://127.0.0.1:8700'],
    ['pay.example.com', 'https://pay.example.com', '__Host-payrun_session', true, null],
    // A proxy that asks under the name by which it reaches the server.
    ['127.0.0.1:8700', 'https://pay.example.com', '__Host-payrun_session', true, 'https://pay.example.com'],
  ])('at %s from %s sets a cookie that only the server reads', async (host, origin, name, secure, publicUrl) => {
    const { app } = signedIn({ publicUrl });
    const response = await app.inject({ ...signIn, headers: { ...OURS, host, origin } });
    expect(response.statusCode).toBe(201);
    const [session, browser] = [name, name.replace('session', 'browser')].map((each) =>
      response.cookies.find((cookie) => cookie.name === each),
    );
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
    expect(browser).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: secure ? '/' : '/api/v1/session' });
    for (const cookie of [session, browser]) {
      expect(cookie?.secure ?? false).toBe(secure);
      expect(cookie?.domain).toBeUndefined();
    }
  });

  it('at another machine takes no cookie that another server below the same name may have planted', async () => {
    const { app, application, cookie } = signedIn();
    const user = application.users.get(TOKENS.viewer);
    const headers = { host: 'pay.example.com', 'x-payrun-console': '1' };
    const read = (sent: string) => app.inject({ url: '/api/v1/me', headers: { ...headers, cookie: sent } });
    expect((await read(cookie)).statusCode).toBe(401);
    const own = await read(`__Host-payrun_session=${user === undefined ? '' : application.aSession(user)}`);
    expect(own.statusCode).toBe(200);
  });

  it.each([
    ['payrun_browser', null],
    ['__Host-payrun_browser', 'kept by the browser'],
  ])('at another machine takes the browser by no cookie but its own: %s', async (name, browserSecret) => {
    const { app, application } = signedIn();
    const headers = { host: 'pay.example.com', origin: 'https://pay.example.com', 'x-payrun-console': '1' };
    const cookie = `${name}=kept%20by%20the%20browser`;
    expect((await app.inject({ ...signIn, headers: { ...headers, cookie } })).statusCode).toBe(201);
    expect(application.signIns).toMatchObject([{ login: 'viewer', browserSecret }]);
  });

  it('ends the session that the browser had before', async () => {
    const { app, application, cookie } = signedIn();
    await app.inject({ ...signIn, headers: { ...OURS, host: 'localhost:8700', cookie } });
    expect(application.ended).toEqual(['session-0']);
  });
});

describe('the sign-in of the company', () => {
  it.each([
    ['localhost:8700', 'payrun_company_sign_in', '/api/v1/session/oidc', false],
    ['pay.example.com', '__Host-payrun_company_sign_in', '/', true],
  ])('at %s is finished by the cookie %s, once', async (host, name, path, secure) => {
    const { app } = signedIn();
    const begun = await app.inject({ url: '/api/v1/session/oidc?to=/runs', headers: { host } });
    const [kept] = begun.cookies;
    expect(kept).toMatchObject({ name, path, httpOnly: true, sameSite: 'Lax' });
    expect(kept?.secure ?? false).toBe(secure);
    expect(kept?.domain).toBeUndefined();
    const headers = { host, cookie: `${name}=${kept?.value ?? ''}` };
    const back = await app.inject({ url: '/api/v1/session/oidc/callback?code=x', headers });
    expect(back.headers.location).toBe('/runs');
    expect(back.cookies).toMatchObject([{ name, path, value: '', maxAge: 0 }]);
  });

  it('at another machine is not finished by a cookie that another server below the same name may have planted', async () => {
    const { app } = signedIn();
    const begun = await app.inject({ url: '/api/v1/session/oidc?to=/runs', headers: { host: 'localhost:8700' } });
    const headers = { host: 'pay.example.com', cookie: `payrun_company_sign_in=${begun.cookies[0]?.value ?? ''}` };
    const back = await app.inject({ url: '/api/v1/session/oidc/callback?code=x', headers });
    expect(back.headers.location).toBe('/sign-in#error=expired');
  });
});

describe('a session', () => {
  it('that nobody knows is answered as signed out, and its cookie removed', async () => {
    const { app } = anApp();
    const headers = { host: 'localhost:8700', cookie: 'payrun_session=invented' };
    const response = await app.inject({ url: '/api/v1/session', headers });
    expect([response.statusCode, response.json()]).toMatchObject([401, { error: { code: 'signed_out' } }]);
    expect(response.cookies).toMatchObject([{ name: 'payrun_session', value: '' }]);
    expect(response.headers['www-authenticate']).toBeUndefined();
  });

  it('is used by what a person does, and not by what a page asks by itself', async () => {
    const { app, application, cookie } = signedIn();
    const ask = (kind: string) => app.inject({ url: '/api/v1/me', headers: { cookie, 'x-payrun-console': kind } });
    await ask('background');
    await app.inject({ url: '/api/v1/me', headers: { cookie, accept: 'text/event-stream' } });
    expect(application.used).toEqual([]);
    await ask('1');
    expect(application.used).toHaveLength(1);
  });

  it('does nothing for the page of another user, who was signed in before', async () => {
    const { app, application, cookie } = signedIn();
    const viewer = application.users.get(TOKENS.viewer);
    const ask = (userId: string) =>
      app.inject({ ...STOP, headers: { ...OURS, host: 'localhost:8700', cookie, 'x-payrun-user': userId } });
    const refused = await ask('018f2a00-0000-7000-8000-00000000ffff');
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ error: { code: 'signed_in_as_another' } });
    expect((await ask(viewer?.userId ?? '')).statusCode).toBe(201);
  });

  it('has its secret in no log', async () => {
    const { app, cookie, logged } = signedIn();
    await app.inject({ url: '/api/v1/runs', headers: { cookie } });
    await app.inject({ ...STOP, headers: { cookie } });
    expect(logged()).not.toContain('session-of-viewer');
  });
});

function without(name: keyof typeof OURS): Record<string, string> {
  return Object.fromEntries(Object.entries(OURS).filter(([header]) => header !== name));
}
