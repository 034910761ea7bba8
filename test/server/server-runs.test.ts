import { detailOf } from './fake-inbox.ts';
import { describe, expect, it } from 'vitest';
import { ApplicationError } from '../../application/application-error.ts';
import { aRow, aRun } from './application-records.ts';
import { aServer, anApp } from './server-harness.ts';
import { TOKENS } from './fake-application.ts';

interface ErrorAnswer {
  error: { code: string; message: string; details?: Record<string, unknown> };
}

describe('runs', () => {
  it('a run is answered as the application describes it', async () => {
    const { as, application } = anApp();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    const answer = await as('viewer', { url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001' });
    expect(answer.json()).toEqual(detailOf(aRun()));
  });

  it('a run that does not exist is 404 wherever it is named', async () => {
    const { as } = anApp();
    for (const part of ['', '/rows', '/results.csv', '/exceptions.csv', '/events']) {
      const response = await as('viewer', { url: `/api/v1/runs/018f2a00-0000-7000-8000-000000000009${part}` });
      expect(response.statusCode, part).toBe(404);
      expect(response.json<ErrorAnswer>().error.code).toBe('not_found');
    }
  });

  it('a page of runs names the next one only when it is full', async () => {
    const { as, application } = anApp();
    application.runs
      .set('018f2a00-0000-7000-8000-000000000001', aRun())
      .set('018f2a00-0000-7000-8000-000000000002', aRun({ runId: '018f2a00-0000-7000-8000-000000000002' }));
    const full = (await as('viewer', { url: '/api/v1/runs?limit=2' })).json<{ next: string | null }>();
    expect(full.next).toBe('018f2a00-0000-7000-8000-000000000002');
    const last = (await as('viewer', { url: '/api/v1/runs?limit=3' })).json<{ next: string | null }>();
    expect(last.next).toBeNull();
  });

  it('rows are answered page by page, filtered by state on request', async () => {
    const { as, application } = anApp();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    application.rows = [2, 3, 4].map((line) => aRow({ line, state: line === 3 ? 'failed' : 'paid' }));
    const page = (await as('viewer', { url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001/rows?limit=2' })).json<{
      rows: { line: number }[];
      nextAfterLine: number | null;
    }>();
    expect(page.rows.map(({ line }) => line)).toEqual([2, 3]);
    expect(page.nextAfterLine).toBe(3);
    const failed = (
      await as('viewer', { url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001/rows?state=failed' })
    ).json<typeof page>();
    expect(failed.rows.map(({ line }) => line)).toEqual([3]);
    expect(failed.nextAfterLine).toBeNull();
  });

  it.each([
    ['/api/v1/runs?limit=0', 'querystring.limit'],
    ['/api/v1/runs?limit=ten', 'querystring.limit'],
    ['/api/v1/runs/018f2a00-0000-7000-8000-000000000001/rows?state=gone', 'querystring.state'],
    ['/api/v1/runs/..%2Fetc/rows', 'runId: is not a run id'],
  ])('%s is refused with the name of the field', async (url, field) => {
    const { as, application } = anApp();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    const response = await as('viewer', { url });
    expect(response.statusCode).toBe(400);
    const { error } = response.json<ErrorAnswer>();
    expect(error.code).toBe('invalid_input');
    expect(error.message).toContain(field);
  });
});

const RUN = '018f2a00-0000-7000-8000-000000000001';
const HASH = { contentHash: 'a'.repeat(64) };

describe('decisions', () => {
  it('an approval has comment and hash, and the person who decides', async () => {
    const { as, application } = anApp();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    const payload = { comment: 'checked', contentHash: 'a'.repeat(64) };
    const response = await as('checker', {
      method: 'POST',
      url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001/approve',
      payload,
    });
    expect(response.statusCode).toBe(200);
    const user = { userId: 'user-checker' };
    expect(application.decisions).toMatchObject([
      { user, runId: '018f2a00-0000-7000-8000-000000000001', decision: payload, approved: true },
    ]);
  });

  it.each([undefined, {}, { comment: 'fine' }, { contentHash: null }, { contentHash: 'a'.repeat(63) }])(
    'an approval that does not name what was seen (%j) is refused',
    async (payload) => {
      const { as, application } = anApp();
      application.runs.set(RUN, aRun());
      const response = await as('checker', {
        method: 'POST',
        url: `/api/v1/runs/${RUN}/approve`,
        ...(payload && { payload }),
      });
      expect(response.statusCode).toBe(400);
      expect(application.decisions).toEqual([]);
    },
  );

  it.each([undefined, HASH, { ...HASH, comment: null }, { ...HASH, comment: '  ' }])(
    'a rejection without a reason (%j) is refused',
    async (payload) => {
      const { as, application } = anApp();
      application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
      const request = {
        method: 'POST' as const,
        url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001/reject',
        ...(payload && { payload }),
      };
      const response = await as('checker', request);
      expect(response.statusCode).toBe(400);
      expect(application.decisions).toEqual([]);
    },
  );

  it('a misspelt field of a decision is refused, so that no hash is dropped silently', async () => {
    const { as, application } = anApp();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    const payload = { contenthash: 'a'.repeat(64) };
    const response = await as('checker', {
      method: 'POST',
      url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001/approve',
      payload,
    });
    expect(response.statusCode).toBe(400);
    expect(response.json<ErrorAnswer>().error.message).toContain('contenthash');
    expect(application.decisions).toEqual([]);
  });

  it.each([
    ['invalid_input', 400],
    ['not_allowed', 403],
    ['not_found', 404],
    ['conflict', 409],
    ['unavailable', 503],
  ] as const)('the refusal %s of the application becomes %i', async (code, status) => {
    const { as, application } = anApp();
    application.failures.set('approveRun', new ApplicationError(code, 'why it is so'));
    const response = await as('checker', {
      method: 'POST',
      url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001/approve',
      payload: HASH,
    });
    expect(response.statusCode).toBe(status);
    expect(response.json()).toEqual({ error: { code, message: 'why it is so' } });
  });
});

describe('files of a run', () => {
  it.each(['results', 'exceptions'])('%s.csv is a download with all its pieces', async (kind) => {
    const { as, application } = anApp();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    const response = await as('viewer', { url: `/api/v1/runs/018f2a00-0000-7000-8000-000000000001/${kind}.csv` });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(response.headers['content-disposition']).toBe(
      `attachment; filename="${kind}-018f2a00-0000-7000-8000-000000000001.csv"`,
    );
    expect(response.body).toBe(application.pieces.join(''));
  });

  it('a file that fails at its start is answered as an error, not as an empty file', async () => {
    const { as, application } = anApp();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    application.failures.set('results', new ApplicationError('unavailable', 'the database does not answer'));
    expect(
      (await as('viewer', { url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001/results.csv' })).statusCode,
    ).toBe(503);
  });

  it('a file that breaks off is not a complete answer', async () => {
    const { application, server } = await aServer();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    application.breaksAfterPieces = 1;
    const headers = { authorization: `Bearer ${TOKENS.viewer}` };
    const response = await fetch(`${server.url}/api/v1/runs/018f2a00-0000-7000-8000-000000000001/results.csv`, {
      headers,
    });
    await expect(response.text()).rejects.toThrow();
  });
});
