import { describe, expect, it } from 'vitest';
import type { TokenScope } from '../../domain/users/token-scope.ts';
import { anApp } from './server-harness.ts';

const RUN = '018f2a00-0000-7000-8000-000000000001';
const reject = { method: 'POST' as const, url: `/api/v1/runs/${RUN}/reject`, payload: {} };

describe('a token', () => {
  function withScopes(...scopes: TokenScope[]) {
    const { as, application } = anApp();
    for (const [token, user] of application.users) application.users.set(token, { ...user, scopes });
    return { as, application };
  }

  it('that only reads is refused for what it was not made for, and the refusal is recorded', async () => {
    const { as, application } = withScopes('read');
    expect((await as('checker', { url: '/api/v1/runs' })).statusCode).toBe(200);
    const refused = await as('checker', reject);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      403,
      { error: { code: 'not_allowed', message: 'this takes a token with the scope decide; yours has: read' } },
    ]);
    expect(application.refusedAccess).toMatchObject([{ kind: 'access_refused', why: 'scope decide', times: 1 }]);
    expect((await as('maker', { method: 'POST', url: '/api/v1/drafts', payload: {} })).statusCode).toBe(403);
  });

  it('that has the scope is not', async () => {
    expect((await withScopes('read', 'decide').as('checker', reject)).statusCode).not.toBe(403);
    const { as } = withScopes('read', 'submit');
    expect((await as('maker', { method: 'POST', url: '/api/v1/drafts', payload: {} })).statusCode).not.toBe(403);
    expect((await as('checker', reject)).statusCode).toBe(403);
  });

  it('is made with the scopes that are asked for, and the list shows them', async () => {
    const { as, application } = anApp();
    const payload = { label: 'ERP', scopes: ['submit'] };
    expect((await as('maker', { method: 'POST', url: '/api/v1/tokens', payload })).statusCode).toBe(201);
    expect(application.calls).toMatchObject([{ asked: { label: 'ERP', scopes: ['submit'] } }]);
    expect((await as('maker', { url: '/api/v1/tokens' })).json()).toMatchObject({ tokens: [{ scopes: ['submit'] }] });
    const other = { label: 'ERP', scopes: ['everything'] };
    expect((await as('maker', { method: 'POST', url: '/api/v1/tokens', payload: other })).statusCode).toBe(400);
  });
});
