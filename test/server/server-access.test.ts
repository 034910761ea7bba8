import fastify, { type InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../api/endpoint.ts';
import { ENDPOINTS } from '../../api/endpoints.ts';
import { ApplicationError } from '../../application/application-error.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import type { Role } from '../../domain/users/role.ts';
import { ROLES } from '../../domain/users/role.ts';
import { requireAccess } from '../../server/users/access.ts';
import type { AccessGuards } from '../../server/users/credentials.ts';
import type { Api } from '../../server/api.ts';
import { tableUnder } from '../helpers/document-tables.ts';
import { aRun } from './application-records.ts';
import { TOKENS } from './fake-application.ts';
import { anApp } from './server-harness.ts';

type Method = NonNullable<InjectOptions['method']>;

const RUN = '018f2a00-0000-7000-8000-000000000001';
/** The table that people read is the one that is tried, cell by cell. */
const ROUTES = tableUnder('security.md', 'Roles and routes').map(({ route = '', anyone, ...roles }) => {
  const [method = '', path = ''] = route.split(' ');
  return {
    route,
    method: method as Method,
    path,
    isOpen: anyone === 'yes',
    roles: roles as Record<Role | 'no role', string>,
  };
});

function urlOf(path: string): string {
  return path
    .replace('{runId}', RUN)
    .replace('{rowRef}', 'INV-1')
    .replace('{line}', '2')
    .replace('{role}', 'viewer')
    .replace('{slot}', 'passport')
    .replaceAll(/\{\w+\}/g, '018f2a00-0000-7000-8000-0000000000a1');
}

/** What a request that is allowed may be answered here: as it is, most have no body. */
function declared(method: Method, path: string): number[] {
  const isOf = (one: Endpoint) => `/api/v1${one.path.replaceAll(/:(\w+)/g, '{$1}')}` === path && one.method === method;
  const endpoint = Object.values<Endpoint>(ENDPOINTS).find(isOf);
  if (endpoint === undefined) return [200];
  const { answers, errors = [] } = endpoint;
  return [...Object.keys(answers).map(Number), ...errors];
}

describe('access', () => {
  it.each(ROUTES)('$route may be called only by the roles in the table', async ({ method, path, isOpen, roles }) => {
    const { as, app, application } = anApp();
    application.runs.set(RUN, aRun({ state: 'completed' }));
    application.users.set('token-without-a-role', userWithoutRole(application.users.get(TOKENS.viewer)));
    const request = { method, url: urlOf(path) };
    const headers = { authorization: 'Bearer token-without-a-role' };
    const statuses: [Role | 'no role', number][] = [
      ['no role', (await app.inject({ ...request, headers })).statusCode],
    ];
    for (const role of ROLES) statuses.push([role, (await as(role, request)).statusCode]);
    for (const [role, status] of statuses) {
      expect([role, status === 403 ? '–' : 'yes']).toEqual([role, roles[role]]);
      expect(status, role).not.toBe(401);
      if (status !== 403) expect([role, declared(method, path)]).toEqual([role, expect.arrayContaining([status])]);
    }
    if (!isOpen) expect((await as(null, request)).statusCode).toBe(401);
  });

  it('the table has every route and no other', async () => {
    const { as } = anApp();
    const { paths } = (await as(null, { url: '/api/v1/openapi.json' })).json<{
      paths: Record<string, Record<string, { security: unknown[] }>>;
    }>();
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { security }]) => [
        `${method.toUpperCase()} ${path}`,
        security.length === 0,
      ]),
    );
    expect(described.sort()).toEqual(ROUTES.map(({ route, isOpen }) => [route, isOpen]).sort());
  });

  it('each endpoint of the contract is served, and tried by the table', () => {
    const tried = ROUTES.map(({ route }) => route);
    const endpoints = Object.values<Endpoint>(ENDPOINTS).map(
      ({ method, path }) => `${method} /api/v1${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    );
    expect(endpoints.filter((endpoint) => !tried.includes(endpoint))).toEqual([]);
  });

  it.each([
    ['none', undefined],
    ['unknown', 'Bearer nobody'],
    ['of another scheme', 'Basic bWFrZXI6dG9rZW4='],
    ['without the scheme', 'maker-token-1'],
    ['endless', `Bearer ${'x'.repeat(600)}`],
  ])('a token that is %s is answered 401 in the common error format', async (_kind, authorization) => {
    const { app } = anApp();
    const headers = authorization === undefined ? {} : { authorization };
    const response = await app.inject({ url: '/api/v1/runs', headers });
    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toContain('Bearer');
    expect(response.json()).toEqual({ error: { code: 'unauthenticated', message: expect.any(String) as string } });
  });

  it('a token is checked before the body is read', async () => {
    const { app, application } = anApp();
    const headers = { 'content-type': 'application/json' };
    const response = await app.inject({ method: 'POST', url: '/api/v1/tokens', headers, payload: '{broken' });
    expect(response.statusCode).toBe(401);
    expect(application.tokens).toEqual([]);
  });

  it('a route without an access rule makes the server fail to start', () => {
    const app = fastify() as unknown as Api;
    const guards = {} as AccessGuards;
    const nobodyAsks = () => Promise.reject(new Error('nobody asks'));
    const application = { signIn: nobodyAsks, resumeSession: nobodyAsks, accountOf: nobodyAsks };
    const counted = { noteRead: nobodyAsks, useReport: nobodyAsks };
    requireAccess(app, { ...application, ...counted }, guards, null);
    expect(() => app.get('/open', () => 'by oversight')).toThrow('does not say who may call it');
  });

  it('every request is refused when tokens cannot be checked', async () => {
    const { as, application } = anApp();
    application.failures.set('signIn', new ApplicationError('unavailable', 'the database does not answer'));
    expect((await as('viewer', { url: '/api/v1/runs' })).statusCode).toBe(503);
  });

  it('a user sees their own roles and nothing else', async () => {
    const { as } = anApp();
    const response = await as('checker', { url: '/api/v1/me' });
    expect(response.json()).toEqual({
      userId: 'user-checker',
      login: 'checker',
      name: 'A checker',
      roles: ['checker'],
      accounts: null,
      tokenId: expect.any(String) as string,
      pendingChanges: [],
    });
  });
});

function userWithoutRole(user: SignedIn | undefined): SignedIn {
  if (user === undefined) throw new Error('there is no such user');
  return { ...user, userId: 'user-without-a-role', roles: [] };
}
