import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../server/listen.ts';
import { aRun } from './application-records.ts';
import { aCaseDetail, anApplicantProblem, CASE, CASE_SECRETS } from './case-records.ts';
import { TOKENS } from './fake-application.ts';
import { anApp, formRequest, WEBHOOK_TOKEN } from './server-harness.ts';

const SECRETS = ['4111-SECRET-ACCOUNT', WEBHOOK_TOKEN, ...Object.values(TOKENS), 'Bearer'];

describe('logs', () => {
  it('have a line for each request with its id, route, status and time, and no address', async () => {
    const { as, application, logged } = anApp();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    const response = await as('viewer', { url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001' });
    const [line] = logged().trim().split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({
      requestId: response.headers['x-request-id'],
      method: 'GET',
      route: '/api/v1/runs/:runId',
      status: 200,
      ms: expect.any(Number) as number,
      userId: 'user-viewer',
    });
    expect(logged()).not.toContain('018f2a00-0000-7000-8000-000000000001');
  });

  it('contain no token and no body, whatever happens to the request', async () => {
    const { app, as, application, logged } = anApp();
    const secretError = Object.assign(new Error('4111-SECRET-ACCOUNT'), { detail: '4111-SECRET-ACCOUNT' });
    const form = new FormData();
    const columns = { echo: { constant: '4111-SECRET-ACCOUNT' } };
    form.set('profile', JSON.stringify({ name: '4111-SECRET-ACCOUNT', headers: [], columns }));
    form.set('file', new Blob(['4111-SECRET-ACCOUNT']), 'payroll.csv');
    const submission = { method: 'POST' as const, url: '/api/v1/runs', ...(await formRequest(form)) };
    await as('maker', submission);
    application.failures.set('submit', new Error('wrapped', { cause: secretError }));
    expect((await as('maker', submission)).statusCode).toBe(500);
    const payload = '{"resourceId":"4111-SECRET-ACCOUNT"}';
    await app.inject({ method: 'POST', url: `/webhooks/${WEBHOOK_TOKEN}`, payload });
    const unknown = '{"news":{"beneficiary":"4111-SECRET-ACCOUNT"},"4111-SECRET-ACCOUNT":1}';
    await app.inject({ method: 'POST', url: `/webhooks/${WEBHOOK_TOKEN}`, payload: unknown });
    expect(application.webhooks.at(-1)).toMatchObject({ kind: 'unknown', rawBody: unknown });
    application.failures.set('receiveWebhook', secretError);
    await app.inject({ method: 'POST', url: `/webhooks/${WEBHOOK_TOKEN}`, payload });
    await app.inject({ method: 'POST', url: `/webhooks/${WEBHOOK_TOKEN}/more`, payload });
    await app.inject({ method: 'GET', url: `/webhooks/${WEBHOOK_TOKEN}` });
    await app.inject({ method: 'POST', url: `/webhooks/${WEBHOOK_TOKEN}`, payload: 'x'.repeat(70_000) });
    await as('administrator', { method: 'POST', url: '/api/v1/tokens', payload: '{"4111-SECRET-ACCOUNT' });
    expect(logged().trim().split('\n').length).toBeGreaterThan(8);
    for (const secret of SECRETS) expect(logged()).not.toContain(secret);
  });
});

describe('logs of onboarding', () => {
  it('contain nothing of an applicant, whatever happens to the request', async () => {
    const { as, application, logged } = anApp();
    const url = `/api/v1/cases/${CASE}`;
    application.cases.set(CASE, aCaseDetail());
    application.caseFiles.set('passport', {
      fileName: 'anna passport.pdf',
      contentType: 'application/pdf',
      bytes: new TextEncoder().encode('Anna Probe'),
    });
    const form = new FormData();
    form.set('revision', '1');
    form.set('file', new Blob(['email: anna@example.test']), 'Anna Probe.yaml');
    form.append('documents', new Blob(['Anna Probe']), 'anna passport.pdf');
    const supply = { method: 'POST' as const, url: `${url}/supply`, ...(await formRequest(form)) };
    form.delete('revision');
    const submit = { method: 'POST' as const, url: '/api/v1/cases', ...(await formRequest(form)) };
    const read = [{ url }, { url: `${url}/documents/passport` }];
    for (const request of [submit, supply, ...read])
      expect((await as('onboarder', request)).statusCode).toBeLessThan(300);
    application.applicantOutcome = {
      kind: 'refused',
      problems: [anApplicantProblem({ value: 'anna@example.test' })],
      problemCount: 1,
    };
    expect((await as('onboarder', submit)).statusCode).toBe(422);
    const secretError = Object.assign(new Error('Anna Probe'), { detail: 'anna@example.test' });
    for (const method of ['submitApplicants', 'supplyCase', 'findCase', 'findCaseDocument'] as const) {
      application.failures.set(method, new Error('wrapped', { cause: secretError }));
    }
    for (const request of [submit, supply, ...read]) expect((await as('onboarder', request)).statusCode).toBe(500);
    await as('onboarder', { method: 'POST', url: `${url}/withdraw`, payload: '{"reason":"Anna Probe' });
    await as('onboarder', { url: '/api/v1/cases?state=Anna%20Probe' });
    await as('onboarder', { url: '/api/v1/cases/anna@example.test' });
    expect(logged().trim().split('\n').length).toBeGreaterThan(12);
    for (const secret of CASE_SECRETS) expect(logged()).not.toContain(secret);
  });

  it('of refused access have no id of a case', async () => {
    const { as, application } = anApp();
    await as('maker', { url: `/api/v1/cases/${CASE}` });
    expect(application.refusedAccess).toMatchObject([{ route: 'GET /api/v1/cases/:caseId', why: 'read_cases' }]);
  });
});

describe('answers', () => {
  it('to unexpected errors contain a request id and nothing else', async () => {
    const { as, application, logged } = anApp();
    application.failures.set('findRun', new Error('column "iban" of relation payments'));
    const response = await as('viewer', { url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001' });
    expect(response.statusCode).toBe(500);
    expect(response.body).not.toContain('iban');
    const requestId = response.headers['x-request-id'] as string;
    expect(response.json()).toMatchObject({ error: { code: 'internal', details: { requestId } } });
    expect(logged()).toContain(requestId);
  });

  it('leave out fields that the description does not have', async () => {
    const { as, application } = anApp();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', { ...aRun(), secret: 'not for readers' } as ReturnType<
      typeof aRun
    >);
    expect((await as('viewer', { url: '/api/v1/runs/018f2a00-0000-7000-8000-000000000001' })).body).not.toContain(
      'not for readers',
    );
  });

  it('have the headers against type sniffing, framing and caching', async () => {
    const { as } = anApp();
    for (const url of ['/', '/health', '/api/v1/runs', '/nowhere']) {
      const { headers } = await as('viewer', { url });
      expect(headers, url).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining("default-src 'none'") as string,
      });
    }
  });

  it('ignore request ids of clients', async () => {
    const { app } = anApp();
    const { headers } = await app.inject({ url: '/health', headers: { 'request-id': 'mine', 'x-request-id': 'mine' } });
    expect(headers['x-request-id']).not.toBe('mine');
  });
});

describe('health', () => {
  it.each(['/health', '/api/v1/health'])('%s is open, and names failing services without the reason', async (url) => {
    const { app, application } = anApp();
    const well = await app.inject({ url });
    expect(well.statusCode).toBe(200);
    expect(well.json()).toEqual({ status: 'ok', version: '1.2.3', services: { postgres: 'ok', temporal: 'ok' } });
    application.troubles.temporal = 'connect ECONNREFUSED 10.0.0.7:7233';
    const ill = await app.inject({ url });
    expect(ill.statusCode).toBe(503);
    expect(ill.json()).toMatchObject({ status: 'failing', services: { postgres: 'ok', temporal: 'failing' } });
    expect(ill.body).not.toContain('10.0.0.7');
  });
});

describe('the first page', () => {
  it('links to the description and to the workflows', async () => {
    const { app } = anApp();
    const { body, headers } = await app.inject({ url: '/' });
    expect(headers['content-type']).toContain('text/html');
    expect(body).toContain('href="/api/v1/openapi.json"');
    expect(body).toContain('href="http://127.0.0.1:8233"');
  });
});

describe('starting', () => {
  it('on a port that is taken says what to do', async () => {
    const { options } = anApp();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const starting = startServer({ ...options, host: '127.0.0.1', port });
    await expect(starting).rejects.toThrow(`cannot listen on 127.0.0.1:${port}: another program listens there`);
  });
});
