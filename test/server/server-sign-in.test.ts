import { describe, expect, it } from 'vitest';
import { RefusedAccessLog } from '../../server/users/refused-access.ts';
import { SignInDelay } from '../../server/users/sign-in-delay.ts';
import type { RefusedAccess } from '../../application/users/sign-in.ts';
import { until } from '../helpers/until.ts';
import { aRun } from './application-records.ts';
import { TOKENS } from './fake-application.ts';
import { anApp, aServer } from './server-harness.ts';

const RUN = '018f2a00-0000-7000-8000-000000000001';

function aDelay(): { signInDelay: SignInDelay; waits: number[]; pass: (ms: number) => void } {
  const waits: number[] = [];
  let nowMs = 0;
  const signInDelay = new SignInDelay(
    () => nowMs,
    (ms) => Promise.resolve(waits.push(ms)),
  );
  return { signInDelay, waits, pass: (ms) => (nowMs += ms) };
}

describe('an attempt with a wrong token', () => {
  it('waits longer each time, for its address alone, and is reset after a while', async () => {
    const { signInDelay, waits, pass } = aDelay();
    for (let attempt = 0; attempt < 8; attempt += 1) await signInDelay.wait('203.0.113.1');
    expect(waits).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
    await signInDelay.wait('203.0.113.2');
    expect(waits.at(-1)).toBe(100);
    pass(600_001);
    await signInDelay.wait('203.0.113.1');
    expect(waits.at(-1)).toBe(100);
  });

  it('waits for all addresses of its network, which one host has, and for an IPv4 address however it is written', async () => {
    const { signInDelay, waits } = aDelay();
    for (const last of [':1', ':2', 'ffff:ffff:ffff:ffff']) await signInDelay.wait(`2001:db8:1:2:${last}`);
    expect(waits).toEqual([100, 200, 400]);
    await signInDelay.wait('2001:db8:1:3::1');
    await signInDelay.wait('203.0.113.1');
    await signInDelay.wait('::ffff:203.0.113.1');
    expect(waits.slice(3)).toEqual([100, 100, 200]);
  });

  it('from many addresses of a network is recorded once a minute', async () => {
    const written: RefusedAccess[] = [];
    const log = new RefusedAccessLog(
      (entry) => Promise.resolve(void written.push(entry)),
      () => undefined,
    );
    const attempt = { kind: 'sign_in_refused', userId: null, tokenId: null, route: null, why: 'unknown' } as const;
    for (const last of ['1', '2', '3']) log.note({ ...attempt, address: `2001:db8::${last}` });
    await log.close();
    expect(written).toEqual([
      { ...attempt, address: '2001:db8::1', times: 1 },
      { ...attempt, address: '2001:db8::1', times: 2 },
    ]);
  });

  it('is recorded with the address, and with the owner of a known token', async () => {
    const { signInDelay, waits } = aDelay();
    const { app, application } = anApp({ signInDelay });
    const signInWith = (token: string) =>
      app.inject({ url: '/api/v1/runs', headers: { authorization: `Bearer ${token}` } });
    expect((await signInWith('guessed')).statusCode).toBe(401);
    application.signInsRefused.set('revoked', { tokenId: 'token-1', userId: 'user-1', why: 'revoked' });
    expect((await signInWith('revoked')).statusCode).toBe(401);
    expect(waits).toHaveLength(2);
    expect(application.refusedAccess).toMatchObject([
      { kind: 'sign_in_refused', address: '127.0.0.1', userId: null, tokenId: null, why: 'unknown_token', times: 1 },
      { kind: 'sign_in_refused', address: '127.0.0.1', userId: 'user-1', tokenId: 'token-1', why: 'revoked', times: 1 },
    ]);
    expect(JSON.stringify(application.refusedAccess)).not.toContain('guessed');
  });

  it('is not delayed when the token works, or when none was sent', async () => {
    const { signInDelay, waits } = aDelay();
    const { app, as } = anApp({ signInDelay });
    expect((await as('viewer', { url: '/api/v1/runs' })).statusCode).toBe(200);
    expect((await app.inject({ url: '/api/v1/runs' })).statusCode).toBe(401);
    expect(waits).toEqual([]);
  });
});

describe('a request that the role does not allow', () => {
  it('is recorded with user, token and route, without its content', async () => {
    const { as, application } = anApp();
    await as('viewer', {
      method: 'POST',
      url: `/api/v1/runs/${RUN}/approve`,
      payload: { contentHash: 'a'.repeat(64) },
    });
    expect(application.refusedAccess).toMatchObject([
      { kind: 'access_refused', userId: 'user-viewer', route: 'POST /api/v1/runs/:runId/approve', why: 'decide_run' },
    ]);
  });

  it('is counted, and not recorded each time', async () => {
    const written: RefusedAccess[] = [];
    const log = new RefusedAccessLog(
      (refused) => Promise.resolve(void written.push(refused)),
      () => undefined,
      3_600_000,
    );
    const attempt = {
      kind: 'sign_in_refused',
      address: 'a',
      userId: null,
      tokenId: null,
      route: null,
      why: 'x',
    } as const;
    for (let time = 0; time < 1_000; time += 1) log.note(attempt);
    log.note({ ...attempt, address: 'b' });
    expect(written.map(({ address, times }) => [address, times])).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
    await log.close();
    expect(written.slice(2).map(({ address, times }) => [address, times])).toEqual([['a', 999]]);
  });

  it('of very many kinds does not fill the memory', async () => {
    const written: RefusedAccess[] = [];
    const log = new RefusedAccessLog(
      (refused) => Promise.resolve(void written.push(refused)),
      () => undefined,
      3_600_000,
    );
    for (let kind = 0; kind < 5_000; kind += 1) {
      log.note({ kind: 'sign_in_refused', address: `a-${kind}`, userId: null, tokenId: null, route: null, why: 'x' });
    }
    await log.close();
    expect(written.length).toBeLessThan(1_100);
    expect(written.reduce((sum, { times }) => sum + times, 0)).toBe(5_000);
  });
});

describe('live events', () => {
  it('end for a user whose sign-in ends, and for nobody else', async () => {
    const { application, server } = await aServer({ feed: { pollMs: 2, recheckMs: 5 } });
    application.runs.set(RUN, aRun({ state: 'running' }));
    const watch = async (role: 'viewer' | 'checker') => {
      const headers = { authorization: `Bearer ${TOKENS[role]}` };
      const { body } = await fetch(`${server.url}/api/v1/runs/${RUN}/events`, { headers });
      const reader = (body as ReadableStream<Uint8Array>).getReader();
      const state = { ended: false };
      const read = async (): Promise<void> => {
        while (!(await reader.read()).done);
        state.ended = true;
      };
      return { state, reading: read(), cancel: () => reader.cancel() };
    };
    const [gone, staying] = [await watch('viewer'), await watch('checker')];
    application.users.delete(TOKENS.viewer);
    await until(() => Promise.resolve(gone.state.ended));
    expect(staying.state.ended).toBe(false);
    await staying.cancel();
  });

  it('of one user do not take all places', async () => {
    const { application, server } = await aServer({ feed: { pollMs: 2, maxPerUser: 1 } });
    application.runs.set(RUN, aRun({ state: 'running' }));
    const abort = new AbortController();
    const watch = (role: 'viewer' | 'checker') =>
      fetch(`${server.url}/api/v1/runs/${RUN}/events`, {
        headers: { authorization: `Bearer ${TOKENS[role]}` },
        signal: abort.signal,
      });
    expect((await watch('viewer')).status).toBe(200);
    expect((await watch('viewer')).status).toBe(503);
    expect((await watch('checker')).status).toBe(200);
    abort.abort();
  });
});
