import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ApplicationError } from '../../application/application-error.ts';
import { readSignIns } from '../../config/sign-ins.ts';
import { TOKENS } from '../server/fake-application.ts';
import { aCommandLine } from './cli-harness.ts';

describe('login', () => {
  it('with a token saves it for that address, and later commands act as its user', async () => {
    const { folder, run, url } = await aCommandLine();
    const signedIn = await run(['login'], { role: null, stdin: `${TOKENS.checker}\n` });
    expect(signedIn).toMatchObject({ code: 0, stdout: `Signed in at ${url} as A checker (checker), checker.\n` });
    expect(signedIn.stderr + signedIn.stdout).not.toContain(TOKENS.checker);
    const who = await run(['whoami'], { role: null });
    expect(who.stdout).toBe(`A checker (checker), checker, at ${url}\n`);
    expect((await stat(join(folder, '.payrun', 'sign-ins.json'))).mode & 0o077).toBe(0);
  });

  it('with the code of an invitation gets a token for it', async () => {
    const { application, folder, run, url } = await aCommandLine();
    const newcomer = application.users.get(TOKENS.viewer);
    if (newcomer === undefined) throw new Error('there is no viewer');
    application.users.set('secret-1', { ...newcomer, login: 'new' });
    const { code, stdout } = await run(['login', '--json'], { role: null, stdin: 'payrun_code_x\n' });
    expect([code, JSON.parse(stdout)]).toEqual([0, { url, login: 'new', roles: ['viewer'] }]);
    expect(application.calls).toMatchObject([{ method: 'acceptInvitation', asked: { code: 'payrun_code_x' } }]);
    expect(readSignIns(join(folder, '.payrun'))).toMatchObject([{ url, login: 'new', token: 'secret-1' }]);
  });

  it.each([
    ['nothing', '', 2],
    ['a token of nobody', 'nobody', 4],
  ])('with %s saves nothing', async (_what, stdin, code) => {
    const { folder, run } = await aCommandLine();
    expect((await run(['login'], { role: null, stdin })).code).toBe(code);
    expect(readSignIns(join(folder, '.payrun'))).toEqual([]);
  });
});

describe('logout', () => {
  it('revokes and deletes the token; without a sign-in it is wrong input', async () => {
    const { application, folder, run } = await aCommandLine();
    await run(['login'], { role: null, stdin: TOKENS.maker });
    application.failures.set('revokeToken', new ApplicationError('not_found', 'gone'));
    const out = await run(['logout'], { role: null });
    expect(out.stdout).toContain('Signed out maker');
    expect(out.stdout).toContain('could not be revoked');
    expect(readSignIns(join(folder, '.payrun'))).toEqual([]);
    expect((await run(['logout'], { role: null })).code).toBe(2);
  });
});
