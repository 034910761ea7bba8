import { describe, expect, it } from 'vitest';
import type { InjectOptions } from 'fastify';
import { serverSentEvents } from '../../client/sdk/event-stream.ts';
import { ROLES } from '../../domain/users/role.ts';
import { tableUnder } from '../helpers/document-tables.ts';
import { aRun, aStop } from './application-records.ts';
import { TOKENS } from './fake-application.ts';
import { anApp, aServer, type TestApp } from './server-harness.ts';
import { eventually } from '../helpers/until.ts';

/** What users see who are limited to some of the accounts with the provider. */

type Method = NonNullable<InjectOptions['method']>;

const RUN = '018f2a00-0000-7000-8000-000000000001';
const OTHER_RUN = '018f2a00-0000-7000-8000-000000000002';
const USER = '018f2a00-0000-7000-8000-0000000000c2';

/** Every route: a test compares this table with the description of the API. */
const ROUTES = tableUnder('security.md', 'Roles and routes').map(({ route = '' }) => {
  const [method = '', path = ''] = route.split(' ');
  return { route, method: method as Method, path };
});
const RUN_ROUTES = ROUTES.filter(({ path }) => path.includes('{runId}'));

function urlOf(path: string, runId = RUN): string {
  return path.replace('{runId}', runId).replace('{rowRef}', 'INV-1').replace('{name}', 'invoice.pdf');
}

/** An app whose users are limited to `subsidiary`, with one ended run that is paid from this account. */
function aLimitedApp(account: string): TestApp {
  const app = anApp();
  for (const [token, user] of app.application.users) {
    app.application.users.set(token, { ...user, accounts: ['subsidiary'] });
  }
  app.application.runs.set(RUN, aRun({ account, state: 'completed' }));
  return app;
}

describe('a run of another account', () => {
  it.each(RUN_ROUTES)('does not exist for a user who is limited: $route', async ({ method, path }) => {
    const { as, application } = aLimitedApp('default');
    for (const role of ROLES) {
      application.runs.set(RUN, aRun({ account: 'default', state: 'completed' }));
      const refused = await as(role, { method, url: urlOf(path) });
      application.runs.clear();
      const missing = await as(role, { method, url: urlOf(path) });
      expect([refused.statusCode, refused.body]).toEqual([missing.statusCode, missing.body]);
      expect([403, 404]).toContain(refused.statusCode);
      if (refused.statusCode === 404) {
        expect(refused.json()).toEqual({ error: { code: 'not_found', message: `there is no run ${RUN}` } });
      }
    }
    expect(application.findCalls).toBe(0);
    expect([application.calls, application.decisions, application.resolved]).toEqual([[], [], []]);
  });

  it('is what every address under /runs/ names', () => {
    const underRuns = ROUTES.filter(({ path }) => path.startsWith('/api/v1/runs/'));
    expect(underRuns.length).toBeGreaterThan(10);
    expect(underRuns).toEqual(RUN_ROUTES);
  });

  it('is recorded when somebody asks for it, and a missing run is not', async () => {
    const { as, application } = aLimitedApp('default');
    await as('viewer', { url: `/api/v1/runs/${OTHER_RUN}` });
    await as('viewer', { url: `/api/v1/runs/${RUN}` });
    expect(application.refusedAccess).toMatchObject([
      { kind: 'access_refused', userId: 'user-viewer', route: 'GET /api/v1/runs/:runId', why: 'account' },
    ]);
  });

  it('is found in any spelling of its id, and what is no id names none', async () => {
    const { as, application } = aLimitedApp('default');
    for (const id of [RUN.toUpperCase(), `{${RUN}}`, RUN.replaceAll('-', ''), 'x']) {
      expect((await as('viewer', { url: `/api/v1/runs/${encodeURIComponent(id)}` })).statusCode).toBe(404);
    }
    expect(application.runsAsked).toEqual([RUN]);
  });
});

describe('a run of their account', () => {
  it.each(RUN_ROUTES)('is there for a user who is limited: $route', async ({ method, path }) => {
    const limited = aLimitedApp('subsidiary');
    const unlimited = anApp();
    unlimited.application.runs.set(RUN, aRun({ account: 'subsidiary', state: 'completed' }));
    for (const role of ROLES) {
      const [one, other] = [limited, unlimited].map(({ as }) => as(role, { method, url: urlOf(path) }));
      expect((await one)?.statusCode).toBe((await other)?.statusCode);
      expect((await one)?.body).toBe((await other)?.body);
    }
  });

  it('is asked for its account only where the user is limited', async () => {
    const { as, application } = anApp();
    application.runs.set(RUN, aRun());
    expect((await as('viewer', { url: `/api/v1/runs/${RUN}` })).statusCode).toBe(200);
    expect(application.runsAsked).toEqual([]);
  });
});

describe('lists', () => {
  it('have the runs and stops of the accounts of the user', async () => {
    const { as, application } = aLimitedApp('default');
    application.runs.set(OTHER_RUN, aRun({ runId: OTHER_RUN, account: 'subsidiary' }));
    const of = (account: string | null) =>
      aStop({ scope: account === null ? 'all' : 'account', runId: null, account, reason: account });
    application.stops = [of('default'), of('subsidiary'), of(null)];
    const { runs } = (await as('viewer', { url: '/api/v1/runs' })).json<{ runs: { runId: string }[] }>();
    expect(runs.map(({ runId }) => runId)).toEqual([OTHER_RUN]);
    const { stops } = (await as('viewer', { url: '/api/v1/stops' })).json<{ stops: { account: string | null }[] }>();
    expect(stops.map(({ account }) => account)).toEqual(['subsidiary', null]);
  });

  it('tell users the accounts that they are limited to', async () => {
    const { as } = aLimitedApp('default');
    expect((await as('viewer', { url: '/api/v1/me' })).json()).toMatchObject({ accounts: ['subsidiary'] });
  });
});

describe('live events', () => {
  it('end when the user may no longer use the account', async () => {
    const { application, server } = await aServer({ feed: { pollMs: 2, recheckMs: 2 } });
    application.runs.set(RUN, aRun());
    const headers = { authorization: `Bearer ${TOKENS.viewer}` };
    const response = await fetch(`${server.url}/api/v1/runs/${RUN}/events`, { headers });
    const events = serverSentEvents(response.body as ReadableStream<Uint8Array>);
    expect((await events.next()).done).toBe(false);
    const viewer = application.users.get(TOKENS.viewer);
    if (viewer === undefined) throw new Error('there is no viewer');
    application.users.set(TOKENS.viewer, { ...viewer, accounts: ['subsidiary'] });
    await eventually(async () => {
      expect((await events.next()).done).toBe(true);
    });
  });
});

describe('the accounts of a user', () => {
  const url = `/api/v1/users/${USER}/accounts`;
  const put = (payload: object) => ({ method: 'PUT' as const, url, payload });

  it('are set by an administrator, and null gives all', async () => {
    const { as, application } = anApp();
    const fewer = await as('administrator', put({ accounts: ['subsidiary'] }));
    expect([fewer.statusCode, fewer.json()]).toEqual([200, { change: null }]);
    const all = await as('administrator', put({ accounts: null }));
    expect(all.json()).toMatchObject({ change: { state: 'pending' } });
    expect(application.calls.map(({ asked }) => asked)).toEqual([
      { userId: USER, accounts: ['subsidiary'] },
      { userId: USER, accounts: null },
    ]);
  });

  it.each([[{}], [{ accounts: [] }], [{ accounts: [''] }], [{ accounts: 'subsidiary' }]])(
    'are never taken from %j, which could be read as all of them',
    async (payload) => {
      const { as, application } = anApp();
      expect((await as('administrator', put(payload))).statusCode).toBe(400);
      expect(application.calls).toEqual([]);
    },
  );
});
