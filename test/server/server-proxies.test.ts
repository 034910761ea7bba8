import { describe, expect, it } from 'vitest';
import type { InjectOptions } from 'fastify';
import type { AppOptions } from '../../server/app.ts';
import { anApp } from './server-harness.ts';

const PROXY = '10.0.0.2';
const CLIENT = '203.0.113.9';
const HSTS = 'strict-transport-security';

/** The origin that the audit trail gets of a request with a wrong token. */
async function originOf(
  options: Partial<AppOptions>,
  request: Omit<InjectOptions, 'url'>,
): Promise<string | undefined> {
  const { app, application } = anApp(options);
  const headers = { authorization: 'Bearer guessed', ...request.headers };
  expect((await app.inject({ ...request, url: '/api/v1/runs', headers })).statusCode).toBe(401);
  return application.refusedAccess[0]?.address;
}

describe('the origin of a request', () => {
  const forwarded = (from: string) => ({ remoteAddress: PROXY, headers: { 'x-forwarded-for': from } });

  it('is whoever connects, whatever a header says', async () => {
    expect(await originOf({}, forwarded(CLIENT))).toBe(PROXY);
  });

  it('is what a trusted proxy says', async () => {
    expect(await originOf({ trustedProxies: [PROXY] }, forwarded(CLIENT))).toBe(CLIENT);
    expect(await originOf({ trustedProxies: ['10.0.0.0/24'] }, forwarded(CLIENT))).toBe(CLIENT);
    expect(await originOf({ trustedProxies: ['10.0.0.0/24'] }, forwarded(`${CLIENT}, 10.0.0.7`))).toBe(CLIENT);
  });

  it('is not what the client has told the proxy', async () => {
    expect(await originOf({ trustedProxies: [PROXY] }, forwarded(`192.0.2.1, ${CLIENT}`))).toBe(CLIENT);
  });

  it('is not what anybody else than a trusted proxy says', async () => {
    expect(await originOf({ trustedProxies: ['10.0.0.3'] }, forwarded(CLIENT))).toBe(PROXY);
  });

  it('is that of each client in the trace of what was read', async () => {
    const { as, application } = anApp({ trustedProxies: [PROXY] });
    await as('viewer', { url: '/api/v1/search?q=4711', ...forwarded(CLIENT) });
    expect(application.personalDataReads).toMatchObject([{ address: CLIENT }]);
  });
});

it('the host is the one that the proxy asks for, not one that a header names', async () => {
  const { app } = anApp({ trustedProxies: [PROXY] });
  const headers = {
    host: 'localhost:8700',
    'x-forwarded-host': 'payrun.example.com',
    cookie: 'payrun_session=unknown',
  };
  const response = await app.inject({ url: '/api/v1/runs', remoteAddress: PROXY, headers });
  // Cookies at another host than this machine begin with __Host-.
  expect(String(response.headers['set-cookie'])).toMatch(/^payrun_session=;/);
});

describe('browsers are told to use https alone', () => {
  const headers = { 'x-forwarded-proto': 'https' };

  it('where a trusted proxy says that it is reached by https', async () => {
    const { app } = anApp({ trustedProxies: [PROXY] });
    const response = await app.inject({ url: '/health', remoteAddress: PROXY, headers });
    expect(response.headers[HSTS]).toBe('max-age=31536000');
    expect((await app.inject({ url: '/health', remoteAddress: PROXY })).headers[HSTS]).toBeUndefined();
    expect((await app.inject({ url: '/health', headers })).headers[HSTS]).toBeUndefined();
  });

  it('where the public address says so', async () => {
    const { app } = anApp({ publicUrl: 'https://payrun.example.com' });
    expect((await app.inject({ url: '/health' })).headers[HSTS]).toBe('max-age=31536000');
  });

  it('and not otherwise', async () => {
    const { app } = anApp();
    expect((await app.inject({ url: '/health', headers })).headers[HSTS]).toBeUndefined();
  });
});
