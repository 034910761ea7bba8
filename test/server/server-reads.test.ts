import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mayRead } from '../../application/users/signed-in.ts';
import { aRun } from './application-records.ts';
import { aCaseDetail, CASE } from './case-records.ts';
import { TOKENS } from './fake-application.ts';
import { anApp, type TestApp } from './server-harness.ts';

const RUN = '018f2a00-0000-7000-8000-000000000001';
const ROWS = `/api/v1/runs/${RUN}/rows`;

function anAppWithData(): TestApp {
  const app = anApp();
  app.application.runs.set(RUN, aRun());
  app.application.cases.set(CASE, aCaseDetail());
  return app;
}

describe('a read of personal data', () => {
  it('is noted with user, token, route, run, permission and origin', async () => {
    const { as, application } = anAppWithData();
    expect((await as('viewer', { url: `${ROWS}?limit=5` })).statusCode).toBe(200);
    expect(application.personalDataReads).toEqual([
      {
        userId: 'user-viewer',
        tokenId: expect.any(String) as string,
        reads: 'read_instructions',
        route: 'GET /api/v1/runs/:runId/rows',
        named: { run: RUN },
        address: '127.0.0.1',
      },
    ]);
  });

  it('is noted once an hour for each token and what is read', async () => {
    const { as, application } = anAppWithData();
    await Promise.all([as('viewer', { url: ROWS }), as('viewer', { url: `${ROWS}?limit=1` })]);
    await as('viewer', { url: ROWS });
    expect(application.personalDataReads).toHaveLength(1);
    await as('maker', { url: ROWS });
    await as('viewer', { url: `/api/v1/runs/${RUN}/review` });
    expect(application.personalDataReads.map(({ userId, route }) => [userId, route])).toEqual([
      ['user-viewer', 'GET /api/v1/runs/:runId/rows'],
      ['user-maker', 'GET /api/v1/runs/:runId/rows'],
      ['user-viewer', 'GET /api/v1/runs/:runId/review'],
    ]);
  });

  it('is noted again from another address: whoever has found the token is not the one before', async () => {
    const { app, application } = anAppWithData();
    const headers = { authorization: `Bearer ${TOKENS.viewer}` };
    for (const remoteAddress of ['10.0.0.1', '10.0.0.2', '10.0.0.1']) {
      expect((await app.inject({ url: ROWS, headers, remoteAddress })).statusCode).toBe(200);
    }
    expect(application.personalDataReads.map(({ address }) => address)).toEqual(['10.0.0.1', '10.0.0.2']);
  });

  it('is none where what may not be read is left out, was not asked for, or does not exist', async () => {
    const { as, application } = anAppWithData();
    expect((await as('auditor', { url: ROWS })).statusCode).toBe(200);
    expect((await as('auditor', { url: `/api/v1/cases/${CASE}` })).statusCode).toBe(200);
    expect((await as('onboarder', { url: `/api/v1/cases/${CASE}?values=false` })).statusCode).toBe(200);
    expect((await as('viewer', { url: `/api/v1/runs/${RUN}/files/invoice.pdf` })).statusCode).toBe(404);
    expect(application.personalDataReads).toEqual([]);
  });

  it('is answered only once it is noted', async () => {
    const { as, application } = anAppWithData();
    application.failures.set('noteRead', new Error('the database does not answer'));
    const refused = await as('onboarder', { url: `/api/v1/cases/${CASE}` });
    expect(refused.statusCode).toBe(500);
    expect(refused.body).not.toContain('Anna');
    application.failures.delete('noteRead');
    const answered = await as('onboarder', { url: `/api/v1/cases/${CASE}` });
    expect(answered.body).toContain('anna@example.test');
    expect(application.personalDataReads).toMatchObject([{ reads: 'read_applicants', named: { case: CASE } }]);
  });

  it('names no row and no file, whose names may be those of people', async () => {
    const { app, application } = anAppWithData();
    application.files = [
      { name: 'Anna.pdf', contentType: 'application/pdf', sizeBytes: 1, sha256: 'x', bytes: Buffer.from('x') },
    ];
    const headers = { authorization: `Bearer ${TOKENS.viewer}` };
    await app.inject({ url: `/api/v1/runs/${RUN}/files/Anna.pdf`, headers });
    expect(application.personalDataReads).toHaveLength(1);
    expect(JSON.stringify(application.personalDataReads)).not.toContain('Anna');
  });
});

it('an endpoint that does not declare that it shows personal data shows none', () => {
  expect(mayRead({ roles: ['viewer'], reads: [] }, 'read_instructions')).toBe(false);
  expect(mayRead({ roles: ['viewer'], reads: ['read_applicants'] }, 'read_instructions')).toBe(false);
  expect(mayRead({ roles: ['viewer'], reads: ['read_instructions'] }, 'read_instructions')).toBe(true);
  expect(mayRead({ roles: ['auditor'], reads: ['read_instructions'] }, 'read_instructions')).toBe(false);
});

it('whether personal data is shown is asked of what the endpoint declares, not of roles alone', () => {
  const root = join(import.meta.dirname, '../..');
  const pattern = String.raw`mayAny\([^)]*'read_(instructions|applicants)'`;
  const { stdout, stderr } = spawnSync('git', ['grep', '-lE', pattern, '--', 'application', 'server'], { cwd: root });
  expect([stdout.toString(), stderr.toString()]).toEqual(['', '']);
});
