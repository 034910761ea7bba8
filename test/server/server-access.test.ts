import { describe, expect, it } from 'vitest';
import { EngineError } from '../../client/engine/engine-error.ts';
import type { Role } from '../../domain/role.ts';
import { ROLES } from '../../domain/role.ts';
import { aRun } from './engine-records.ts';
import { anApp } from './server-harness.ts';

type Method = 'GET' | 'POST' | 'DELETE';

const READERS: Role[] = [...ROLES];
const DECIDERS: Role[] = ['checker', 'administrator'];
const PROPOSERS: Role[] = ['maker', 'checker', 'administrator'];
const ROUTES: { method: Method; url: string; allowed: Role[] }[] = [
  { method: 'GET', url: '/api/v1/me', allowed: READERS },
  { method: 'GET', url: '/api/v1/runs', allowed: READERS },
  { method: 'GET', url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001', allowed: READERS },
  { method: 'GET', url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001/rows', allowed: READERS },
  { method: 'GET', url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001/results.csv', allowed: READERS },
  { method: 'GET', url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001/exceptions.csv', allowed: READERS },
  { method: 'GET', url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001/events', allowed: READERS },
  { method: 'GET', url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001/audit', allowed: READERS },
  { method: 'GET', url: '/api/v1/audit/verification', allowed: READERS },
  { method: 'POST', url: '/api/v1/runs', allowed: ['maker', 'administrator'] },
  { method: 'POST', url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001/approve', allowed: DECIDERS },
  { method: 'POST', url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001/reject', allowed: DECIDERS },
  { method: 'GET', url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001/rows/INV-1', allowed: READERS },
  {
    method: 'POST',
    url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001/rows/INV-1/resolution',
    allowed: PROPOSERS,
  },
  {
    method: 'POST',
    url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001/rows/INV-1/resolution/confirm',
    allowed: DECIDERS,
  },
  {
    method: 'POST',
    url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001/rows/INV-1/resolution/deny',
    allowed: PROPOSERS,
  },
  { method: 'GET', url: '/api/v1/tokens', allowed: ['administrator'] },
  { method: 'POST', url: '/api/v1/tokens', allowed: ['administrator'] },
  { method: 'DELETE', url: '/api/v1/tokens/018f2a00-0000-7000-8000-0000000000a1', allowed: ['administrator'] },
];

describe('access', () => {
  it.each(ROUTES)('$method $url is for $allowed alone', async ({ method, url, allowed }) => {
    const { as, engine } = anApp();
    engine.runs.set('018f2a00-0000-7000-8000-000000000001', aRun({ state: 'completed' }));
    for (const role of ROLES) {
      const { statusCode } = await as(role, { method, url });
      if (allowed.includes(role)) expect(statusCode, role).not.toBe(403);
      else expect(statusCode, role).toBe(403);
      expect(statusCode, role).not.toBe(401);
    }
    expect((await as(null, { method, url })).statusCode).toBe(401);
  });

  it('every route behind a token is among those tested here', async () => {
    const { as } = anApp();
    const { paths } = (await as(null, { url: '/api/v1/openapi.json' })).json<{
      paths: Record<string, Record<string, { security: unknown[] }>>;
    }>();
    const closed = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, operation]) => operation.security.length > 0)
        .map(
          ([method]) =>
            `${method.toUpperCase()} ${path.replace('{runId}', '018f2a00-0000-7000-8000-000000000001').replace('{rowRef}', 'INV-1').replace('{tokenId}', '018f2a00-0000-7000-8000-0000000000a1')}`,
        ),
    );
    expect(closed.sort()).toEqual(ROUTES.map(({ method, url }) => `${method} ${url}`).sort());
  });

  it.each([
    ['none', undefined],
    ['unknown', 'Bearer nobody'],
    ['of another scheme', 'Basic bWFrZXI6dG9rZW4='],
    ['without the scheme', 'maker-token-1'],
    ['endless', `Bearer ${'x'.repeat(600)}`],
  ])('a token that is %s is answered 401 in the one shape of errors', async (_kind, authorization) => {
    const { app } = anApp();
    const headers = authorization === undefined ? {} : { authorization };
    const response = await app.inject({ url: '/api/v1/runs', headers });
    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toContain('Bearer');
    expect(response.json()).toEqual({ error: { code: 'unauthenticated', message: expect.any(String) as string } });
  });

  it('a token is checked before the body is read', async () => {
    const { app, engine } = anApp();
    const headers = { 'content-type': 'application/json' };
    const response = await app.inject({ method: 'POST', url: '/api/v1/tokens', headers, payload: '{broken' });
    expect(response.statusCode).toBe(401);
    expect(engine.tokens).toEqual([]);
  });

  it('nobody is let in when tokens cannot be checked', async () => {
    const { as, engine } = anApp();
    engine.failures.set('signIn', new EngineError('unavailable', 'the database does not answer'));
    expect((await as('viewer', { url: '/api/v1/runs' })).statusCode).toBe(503);
  });

  it('whoever asks is told who they are, and nothing more than that', async () => {
    const { as } = anApp();
    const response = await as('checker', { url: '/api/v1/me' });
    expect(response.json()).toEqual({ userId: 'user-checker', name: 'A checker', role: 'checker' });
  });
});
