import { expect, test } from 'vitest';
import type { AppOptions } from '../../server/app.ts';
import { anApp, WEBHOOK_TOKEN } from './server-harness.ts';
import { TOKENS } from './fake-application.ts';

const METRICS_TOKEN = 'a-token-of-16-characters';
const PAGE = {
  contentType: 'text/plain; version=0.0.4; charset=utf-8',
  text: () => Promise.resolve('payrun_build_info 1\n'),
};
const shown = { metrics: PAGE, metricsToken: METRICS_TOKEN };

const withToken = (token: string) => ({ url: '/metrics', headers: { authorization: `Bearer ${token}` } });

test('whoever has the token of the metrics reads them, and nothing else', async () => {
  const { app } = anApp(shown);
  const response = await app.inject(withToken(METRICS_TOKEN));
  expect([response.statusCode, response.body]).toEqual([200, 'payrun_build_info 1\n']);
  expect(response.headers['content-type']).toContain('version=0.0.4');
  const runs = await app.inject({ ...withToken(METRICS_TOKEN), url: '/api/v1/runs' });
  expect(runs.statusCode).toBe(401);
});

test('without a token, or with another one, nobody reads them', async () => {
  const { app } = anApp(shown);
  expect((await app.inject({ url: '/metrics' })).statusCode).toBe(401);
  expect((await app.inject(withToken('another-token-of-16-chars'))).statusCode).toBe(401);
});

test('an empty token is none where none is configured', async () => {
  const { app } = anApp({ metrics: PAGE });
  expect((await app.inject({ url: '/metrics', headers: { authorization: 'Bearer ' } })).statusCode).toBe(401);
  expect((await app.inject(withToken(METRICS_TOKEN))).statusCode).toBe(401);
});

test.each([
  ['maker', 403],
  ['checker', 200],
  ['treasurer', 403],
  ['onboarder', 403],
  ['viewer', 200],
  ['administrator', 200],
] as const)('of the users, those who may read the audit trail read the metrics: a %s gets %s', async (role, status) => {
  const { as } = anApp(shown);
  expect((await as(role, { url: '/metrics' })).statusCode).toBe(status);
});

test('a user who is limited to accounts does not read the metrics, which are of all', async () => {
  const { as, application } = anApp(shown);
  const viewer = application.users.get(TOKENS.viewer);
  if (viewer === undefined) throw new Error('there is no viewer');
  application.users.set(TOKENS.viewer, { ...viewer, accounts: ['default'] });
  expect((await as('viewer', { url: '/metrics' })).statusCode).toBe(403);
});

type Observed = { [K in keyof NonNullable<AppOptions['observer']>]: unknown[] };

function observing(): { observer: NonNullable<AppOptions['observer']>; observed: Observed } {
  const observed: Observed = { answered: [], webhookReceived: [], webhookRejected: [] };
  return {
    observed,
    observer: {
      answered: (request) => observed.answered.push(request),
      webhookReceived: (webhook) => observed.webhookReceived.push(webhook),
      webhookRejected: (reason) => observed.webhookRejected.push(reason),
    },
  };
}

test('requests are counted by the pattern of their address, and those of no address as one', async () => {
  const { observer, observed } = observing();
  const { as, app } = anApp({ observer });
  await as('viewer', { url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001' });
  await app.inject({ url: '/somebody@example.com' });
  expect(observed.answered).toEqual([
    { method: 'GET', route: '/api/v1/runs/:runId', status: 404 },
    { method: 'GET', route: null, status: 404 },
  ]);
});

test('webhooks are counted as received, repeated, or rejected with the reason', async () => {
  const { observer, observed } = observing();
  const { app } = anApp({ observer });
  const post = (token: string, payload: string) =>
    app.inject({ method: 'POST', url: `/webhooks/${token}`, payload, headers: { 'content-type': 'application/json' } });
  await post(WEBHOOK_TOKEN, JSON.stringify({ anything: 'unknown' }));
  await post('not-a-token-of-anybody', '{}');
  await post(WEBHOOK_TOKEN, 'no json');
  expect(observed.webhookReceived).toEqual([{ account: 'default', kind: 'unknown', result: 'accepted' }]);
  expect(observed.webhookRejected).toEqual(['address', 'body']);
});
