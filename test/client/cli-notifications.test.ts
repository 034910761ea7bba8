import { describe, expect, it } from 'vitest';
import { ENDPOINT, aDelivery, anEndpointSummary, DELIVERY } from '../server/fake-notifications.ts';
import { aCommandLine } from './cli-harness.ts';

async function withAnEndpoint() {
  const commandLine = await aCommandLine();
  commandLine.application.endpoints = [anEndpointSummary()];
  return commandLine;
}

const inWords = ['notifications', 'endpoints'] as const;

describe('notifications endpoints', () => {
  it('add a webhook: the secret alone goes to stdout last, and the change needs a second administrator', async () => {
    const { application, run } = await aCommandLine();
    const url = 'https://hooks.example.com/x';
    const { code, stdout, stderr } = await run([...inWords, 'add', 'ops', '--url', url, '--types', 'run.finished']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/second administrator \(payrun changes confirm [\w-]+\)/);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('whsec_c2VjcmV0');
    expect(stderr).toContain('shown only once');
    expect(application.calls).toMatchObject([
      {
        method: 'addEndpoint',
        login: 'administrator',
        asked: { kind: 'webhook', name: 'ops', url, types: ['run.finished'] },
      },
    ]);
  });

  it('add mail addresses, of all types, without a secret', async () => {
    const { application, run } = await aCommandLine();
    const { code, stdout } = await run([...inWords, 'add', 'desk', '--mail', 'a@example.com', 'b@example.com']);
    expect([code, stdout.includes('whsec_')]).toEqual([0, false]);
    expect(application.calls).toMatchObject([
      { asked: { kind: 'mail', addresses: ['a@example.com', 'b@example.com'], types: null } },
    ]);
  });

  it.each([
    [['add', 'ops']],
    [['add', 'ops', '--url', 'https://a.example.com', '--mail', 'a@example.com']],
    [['add', 'ops', '--url', 'ftp://a.example.com']],
    [['add', 'ops', '--mail', 'nobody']],
    [['add', 'ops', '--mail', 'a@example.com', '--types', 'run.unheard-of']],
    [['add', 'Ops Team', '--mail', 'a@example.com']],
    [['disable', 'unknown']],
  ])('%j is a mistake, and changes nothing', async (args) => {
    const { application, run } = await aCommandLine();
    const { code, stderr } = await run([...inWords, ...args]);
    expect([code, application.calls]).toEqual([2, []]);
    expect(stderr).not.toBe('');
  });

  it('list shows where they lead without what may be secret in it, and what is wrong', async () => {
    const { application, run } = await aCommandLine();
    application.endpoints = [
      anEndpointSummary({ failingSince: '2026-01-05T08:00:00.000Z', undelivered: 3 }),
      anEndpointSummary({ name: 'old', state: 'disabled', stateReason: 'gone' }),
      anEndpointSummary({ name: 'new', state: 'pending', changeId: 'a-change' }),
    ];
    const { stdout } = await run([...inWords, 'list']);
    expect(stdout).toContain('https://hooks.example.com/…');
    expect(stdout).not.toContain('secret-path');
    expect(stdout).toContain('enabled, failing since 2026-01-05 08:00 UTC');
    expect(stdout).toContain('DISABLED on 2026-01-05 09:00 UTC: its receiver answered that it is gone (410)');
    expect(stdout).toContain('needs a second administrator (payrun changes confirm a-change)');
  });

  it('show shows the whole address, for whoever confirms it', async () => {
    const { run } = await withAnEndpoint();
    expect((await run([...inWords, 'show', 'ops-hooks'])).stdout).toContain('https://hooks.example.com/secret-path');
    expect(JSON.parse((await run([...inWords, 'show', ENDPOINT, '--json'])).stdout)).toEqual(anEndpointSummary());
  });

  it.each([
    ['disable', 'disableEndpoint'],
    ['enable', 'enableEndpoint'],
    ['remove', 'removeEndpoint'],
    ['test', 'testEndpoint'],
    ['rotate-secret', 'rotateEndpointSecret'],
  ])('%s takes the name of an endpoint', async (verb, method) => {
    const { application, run } = await withAnEndpoint();
    expect((await run([...inWords, verb, 'ops-hooks'])).code).toBe(0);
    expect((await run([...inWords, verb, ENDPOINT, '--json'])).code).toBe(0);
    expect(application.calls).toMatchObject([
      { method, asked: { endpointId: ENDPOINT } },
      { method, asked: { endpointId: ENDPOINT } },
    ]);
  });
});

describe('notifications', () => {
  it('types lists the types of notifications', async () => {
    const { run } = await aCommandLine();
    expect((await run(['notifications', 'types'])).stdout).toMatch(
      /^run\.approval_needed +a run waits for an approval/m,
    );
  });

  it('deliveries says why they fail, when they are tried again, and what to do', async () => {
    const { application, run } = await withAnEndpoint();
    const again = '2026-01-05T09:05:00.000Z';
    application.deliveries = [
      aDelivery({ state: 'failing', attempts: 2, httpStatus: 500, error: 'http_status', nextAttemptAt: again }),
      aDelivery(),
    ];
    const { stdout } = await run(['notifications', 'deliveries', '--endpoint', 'ops-hooks', '--state', 'failing']);
    expect(stdout).toContain('failing after 2 attempts: http status 500, again on 2026-01-05 09:05 UTC');
    expect(stdout).toContain('delivered on 2026-01-05 09:00 UTC');
    expect(stdout).toContain('http status: The receiver answered with another status than 2xx. Look into');
    expect(application.calls).toMatchObject([{ asked: { endpointId: ENDPOINT, state: 'failing', limit: 50 } }]);
  });

  it('retry sends one again, and is not found without it', async () => {
    const { application, run } = await aCommandLine();
    expect((await run(['notifications', 'retry', DELIVERY])).code).not.toBe(0);
    application.deliveries = [aDelivery()];
    expect(await run(['notifications', 'retry', DELIVERY])).toMatchObject({ code: 0, stdout: 'It is sent again.\n' });
  });
});
