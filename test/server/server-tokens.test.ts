import { describe, expect, it } from 'vitest';
import { ApplicationError } from '../../application/application-error.ts';
import { SignInDelay } from '../../server/users/sign-in-delay.ts';
import { anApp } from './server-harness.ts';

const url = '/api/v1/tokens';

describe('tokens', () => {
  it('a token is shown once, when it is issued, and never listed', async () => {
    const { as } = anApp();
    const issued = await as('viewer', { method: 'POST', url, payload: { label: 'laptop' } });
    expect(issued.statusCode).toBe(201);
    expect(issued.json()).toMatchObject({ token: 'secret-1', expiresAt: expect.any(String) as string });
    const listed = await as('viewer', { url });
    expect(listed.json()).toMatchObject({
      tokens: [{ tokenId: '018f2a00-0000-7000-8000-0000000000a1', login: 'viewer', label: 'laptop' }],
    });
    expect(listed.body).not.toContain('secret-1');
  });

  it('expire after 90 days unless another number is given', async () => {
    const { as, application } = anApp();
    await as('maker', { method: 'POST', url, payload: { label: 'a' } });
    await as('maker', { method: 'POST', url, payload: { label: 'b', validDays: 7 } });
    expect(application.calls.map(({ asked }) => asked)).toEqual([
      { label: 'a', validDays: 90, scopes: ['read'] },
      { label: 'b', validDays: 7, scopes: ['read'] },
    ]);
  });

  it.each([
    [{ label: '' }, 'body.label'],
    [{ label: 'a\u001b[31m' }, 'body.label'],
    [{ label: 'laptop', validDays: 0 }, 'body.validDays'],
    [{ label: 'laptop', role: 'checker' }, 'role'],
  ])('%j is refused with the name of the field', async (payload, field) => {
    const { as, application } = anApp();
    const response = await as('administrator', { method: 'POST', url, payload });
    expect(response.statusCode).toBe(400);
    expect(response.json<{ error: { message: string } }>().error.message).toContain(field);
    expect(application.tokens).toEqual([]);
  });

  it('are listed only to their own user, and all to an administrator', async () => {
    const { as } = anApp();
    await as('maker', { method: 'POST', url, payload: { label: 'of the maker' } });
    await as('checker', { method: 'POST', url, payload: { label: 'of the checker' } });
    const labels = async (role: 'maker' | 'administrator') =>
      (await as(role, { url })).json<{ tokens: { label: string }[] }>().tokens.map(({ label }) => label);
    expect(await labels('maker')).toEqual(['of the maker']);
    expect(await labels('administrator')).toEqual(['of the maker', 'of the checker']);
  });

  it('are those of an administrator alone, where they ask for their own', async () => {
    const { as } = anApp();
    await as('maker', { method: 'POST', url, payload: { label: 'of the maker' } });
    await as('administrator', { method: 'POST', url, payload: { label: 'of the administrator' } });
    const labels = async (role: 'maker' | 'administrator', own: string) =>
      (await as(role, { url: `${url}?own=${own}` }))
        .json<{ tokens: { label: string }[] }>()
        .tokens.map(({ label }) => label);
    expect(await labels('administrator', 'true')).toEqual(['of the administrator']);
    // Whoever is none gets no others by asking.
    expect(await labels('maker', 'false')).toEqual(['of the maker']);
  });

  it('a token is revoked once, and after that unknown', async () => {
    const { as } = anApp();
    await as('administrator', { method: 'POST', url, payload: { label: 'x' } });
    const revoke = () => as('administrator', { method: 'DELETE', url: `${url}/018f2a00-0000-7000-8000-0000000000a1` });
    expect((await revoke()).statusCode).toBe(204);
    expect((await revoke()).statusCode).toBe(404);
  });
});

describe('an invitation', () => {
  const accept = { method: 'POST' as const, url: '/api/v1/invitations/accept' };

  it('gives anyone with its code a token', async () => {
    const { app, application } = anApp();
    const answer = await app.inject({ ...accept, payload: { code: 'a-code', label: 'laptop' } });
    expect([answer.statusCode, answer.json()]).toMatchObject([201, { token: 'secret-1' }]);
    expect(application.calls).toEqual([
      { method: 'acceptInvitation', login: null, asked: { code: 'a-code', label: 'laptop', validDays: 90 } },
    ]);
  });

  it('with a wrong code is recorded, and its answer is delayed', async () => {
    const waits: string[] = [];
    const signInDelay = new SignInDelay(Date.now, () => Promise.resolve(waits.push('waited')));
    const { app, application } = anApp({ signInDelay });
    application.failures.set('acceptInvitation', new ApplicationError('unauthenticated', 'the code is unknown'));
    expect((await app.inject({ ...accept, payload: { code: 'guessed' } })).statusCode).toBe(401);
    expect(waits).toEqual(['waited']);
    expect(application.refusedAccess).toMatchObject([{ kind: 'sign_in_refused', why: 'unknown_code', times: 1 }]);
    expect(JSON.stringify(application.refusedAccess)).not.toContain('guessed');
  });
});
