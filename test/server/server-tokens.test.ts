import { describe, expect, it } from 'vitest';
import { anApp } from './server-harness.ts';

const url = '/api/v1/tokens';

describe('tokens', () => {
  it('a token is shown when it is issued, and never listed', async () => {
    const { as } = anApp();
    const payload = { name: 'Ana', role: 'checker', label: 'laptop' };
    const issued = await as('administrator', { method: 'POST', url, payload });
    expect(issued.statusCode).toBe(201);
    expect(issued.json()).toMatchObject({ token: 'secret-1', summary: { name: 'Ana', role: 'checker' } });
    const listed = await as('administrator', { url });
    expect(listed.json()).toMatchObject({
      tokens: [{ tokenId: '018f2a00-0000-7000-8000-0000000000a1', label: 'laptop' }],
    });
    expect(listed.body).not.toContain('secret-of');
  });

  it.each([
    [{ name: '', role: 'checker', label: 'laptop' }, 'body.name'],
    [{ name: 'Ana', role: 'owner', label: 'laptop' }, 'body.role'],
    [{ name: 'Ana', role: 'checker', label: 'a\u001b[31m' }, 'body.label'],
    [{ name: 'Ana', role: 'checker', label: 'laptop', validDays: 0 }, 'body.validDays'],
  ])('%j is refused with the name of the field', async (payload, field) => {
    const { as, engine } = anApp();
    const response = await as('administrator', { method: 'POST', url, payload });
    expect(response.statusCode).toBe(400);
    expect(response.json<{ error: { message: string } }>().error.message).toContain(field);
    expect(engine.tokens).toEqual([]);
  });

  it('a token is revoked once, and after that unknown', async () => {
    const { as } = anApp();
    await as('administrator', { method: 'POST', url, payload: { name: 'Ana', role: 'viewer', label: 'x' } });
    const revoke = () => as('administrator', { method: 'DELETE', url: `${url}/018f2a00-0000-7000-8000-0000000000a1` });
    expect((await revoke()).statusCode).toBe(204);
    expect((await revoke()).statusCode).toBe(404);
  });
});
