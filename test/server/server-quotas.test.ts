import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../api/endpoint.ts';
import { ENDPOINTS } from '../../api/endpoints.ts';
import { ApplicationError } from '../../application/application-error.ts';
import { aRun } from './application-records.ts';
import { TOKENS } from './fake-application.ts';
import { anApp, aServer, formRequest } from './server-harness.ts';

const RUN = '018f2a00-0000-7000-8000-000000000001';

async function aSubmission() {
  const form = new FormData();
  form.set('file', new Blob(['row_ref\nA\n']), 'payroll.csv');
  return { method: 'POST' as const, url: '/api/v1/runs', ...(await formRequest(form)) };
}

describe('a request with files', () => {
  it('is counted with its bytes before it is received', async () => {
    const { as, application } = anApp();
    const submission = await aSubmission();
    expect((await as('maker', submission)).statusCode).toBe(201);
    expect(application.admitted).toEqual([{ userId: 'user-maker', bytes: submission.payload.byteLength }]);
  });

  it('is refused when its user has sent too much today, and says until when', async () => {
    const { as, application } = anApp();
    const details = { retryAfterSeconds: 3_600 };
    application.failures.set('admitUpload', new ApplicationError('too_many', 'too much for a day', { details }));
    const refused = await as('maker', await aSubmission());
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600']);
    expect(application.submissions).toEqual([]);
  });

  it('is refused while the database has only its reserve left; stops and decisions are not', async () => {
    const { as, application } = anApp();
    application.runs.set(RUN, aRun());
    application.failures.set('admitUpload', new ApplicationError('unavailable', 'only its reserve left'));
    const refused = await as('maker', await aSubmission());
    expect([refused.statusCode, refused.json()]).toMatchObject([503, { error: { message: 'only its reserve left' } }]);
    const stop = { method: 'POST' as const, url: `/api/v1/runs/${RUN}/stop`, payload: { reason: 'wrong file' } };
    expect((await as('maker', stop)).statusCode).toBe(200);
  });

  it('is counted as the largest where it does not say how large it is', async () => {
    const { server, application } = await aServer();
    const { headers } = await aSubmission();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = httpRequest(`${server.url}/api/v1/runs`, {
        method: 'POST',
        headers: { ...headers, 'transfer-encoding': 'chunked', authorization: `Bearer ${TOKENS.maker}` },
      });
      sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      sent.end('--x');
    });
    // Its form is damaged.
    expect([status, application.admitted]).toEqual([400, [{ userId: 'user-maker', bytes: 1024 * 1024 * 1024 }]]);
  });
});

describe('a report or dry run', () => {
  const reports = Object.values<Endpoint>(ENDPOINTS).filter(({ isReport }) => isReport === true);

  it('is one of those that take long', () => {
    expect(reports.map(({ operationId }) => operationId).sort()).toEqual([
      ...[
        'dryRunOrder',
        'getCorridorTemplate',
        'getExceptions',
        'getProposal',
        'getReconciliationFile',
        'getResults',
        'getSheet',
      ],
    ]);
  });

  it.each(reports.map((endpoint) => [endpoint.operationId, endpoint] as const))(
    '%s is counted',
    async (_id, { method, path }) => {
      const { as, application } = anApp();
      application.failures.set('useReport', new ApplicationError('too_many', 'too many for a day'));
      const url = path.replace(':runId', RUN).replace(':file', 'report.html');
      const order = { sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'sell', amount: '10.00' };
      const isTemplate = path.startsWith('/payment-file');
      const asked: Record<string, string> = isTemplate ? { to: 'EUR', country: 'DE' } : { from: '2026-01-01' };
      const given = method === 'POST' ? { payload: order } : { query: { account: 'default', ...asked } };
      const by = method === 'POST' ? 'treasurer' : isTemplate ? 'maker' : 'viewer';
      const { statusCode } = await as(by, {
        ...{ method, url: `/api/v1${url}` },
        ...(path.includes(':runId') ? {} : given),
      });
      expect(statusCode).toBe(429);
    },
  );
});
