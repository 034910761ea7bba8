import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ApplicationError } from '../../application/application-error.ts';
import { aFolder } from '../client/cli-harness.ts';
import { aCaseDetail, anApplicantProblem, CASE } from './case-records.ts';
import { anApp, formRequest, type TestApp } from './server-harness.ts';

const SUBMIT = '/api/v1/cases';
const SUPPLY = `/api/v1/cases/${CASE}/supply`;
const CSV = 'applicant_ref,email\r\nA-17,anna@example.test\r\n';

function aForm(fields: Record<string, string> = {}, fileName = 'applicants.csv'): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([CSV]), fileName);
  return form;
}

async function send({ as }: TestApp, url: string, form: FormData) {
  return as('onboarder', { method: 'POST', url, ...(await formRequest(form)) });
}

function anAppWithACase(fields: Parameters<typeof anApp>[0] = {}): TestApp {
  const app = anApp(fields);
  app.application.cases.set(CASE, aCaseDetail());
  return app;
}

describe('applicants', () => {
  it('reach the application with their documents and options', async () => {
    const app = anApp();
    const form = aForm({ account: 'asia', dryRun: 'true' });
    form.append('documents', new Blob(['%PDF-1.4']), 'anna passport.pdf');
    const response = await send(app, SUBMIT, form);
    expect(response.statusCode).toBe(201);
    expect(response.json()).toEqual({
      cases: [{ caseId: CASE, applicantRef: 'A-17', isNew: true, state: 'draft', differs: null }],
      newCount: 1,
      warnings: [],
      requestCount: 12,
      secondsToFinish: 3,
      holds: [],
    });
    expect(app.application.received).toMatchObject([
      {
        user: { userId: 'user-onboarder' },
        given: { account: 'asia', fileName: 'applicants.csv', format: 'sheet', dryRun: true },
        content: CSV,
        files: [{ name: 'anna passport.pdf', content: '%PDF-1.4' }],
      },
    ]);
  });

  it.each([
    ['anna.yaml', 'yaml'],
    ['anna.YML', 'yaml'],
    ['anna.json', 'json'],
  ])('in %s are read as %s, and nothing else is needed', async (fileName, format) => {
    const app = anApp();
    expect((await send(app, SUBMIT, aForm({}, fileName))).statusCode).toBe(201);
    expect(app.application.received[0]).toMatchObject({ given: { account: null, format, dryRun: false }, files: [] });
  });

  it.each([
    [SUBMIT, aForm({}, 'applicants.pdf'), 'file: its name must end in'],
    [SUBMIT, aForm({ dryRun: 'yes' }), 'dryRun'],
    [SUBMIT, aForm({ password: 'x' }), 'password'],
    [SUPPLY, aForm(), 'revision'],
    [SUPPLY, aForm({ revision: '0' }), 'revision'],
    [SUPPLY, aForm({ revision: '1', account: 'asia' }), 'account'],
  ])('sent to %s are refused when a field is wrong', async (url, form, said) => {
    const app = anAppWithACase();
    const response = await send(app, url, form);
    expect(response.statusCode).toBe(400);
    expect(response.body).toContain(said);
    expect(app.application.received).toEqual([]);
  });

  it.each([SUBMIT, SUPPLY])('that are refused at %s are 422 with the problems and their count', async (url) => {
    const app = anAppWithACase();
    const refused = { kind: 'refused' as const, problems: [anApplicantProblem()], problemCount: 5_321 };
    app.application.applicantOutcome = refused;
    app.application.supplyOutcome = refused;
    const response = await send(app, url, aForm(url === SUPPLY ? { revision: '1' } : {}));
    expect(response.statusCode).toBe(422);
    const details = { problems: [anApplicantProblem()], problemCount: 5_321 };
    expect(response.json()).toMatchObject({ error: { code: 'applicants_refused', details } });
  });

  it('are gone from the disk when they are answered, refused or not', async () => {
    const spoolFolder = await aFolder();
    const app = anApp({ submissions: { spoolFolder } });
    expect((await send(app, SUBMIT, aForm())).statusCode).toBe(201);
    expect((await send(app, SUBMIT, aForm({}, 'applicants.pdf'))).statusCode).toBe(400);
    app.application.failures.set('submitApplicants', new Error('the database went away'));
    expect((await send(app, SUBMIT, aForm())).statusCode).toBe(500);
    expect(await readdir(spoolFolder)).toEqual([]);
  });

  it('larger than the limit are refused, as are documents that are too large even to say of whom they are', async () => {
    const app = anApp();
    const large = new FormData();
    large.set('file', new Blob([new Uint8Array(20 * 1024 * 1024 + 1)]), 'applicants.csv');
    expect((await send(app, SUBMIT, large)).statusCode).toBe(413);
    const form = aForm();
    form.append('documents', new Blob([new Uint8Array(10_485_762)]), 'large.pdf');
    const response = await send(app, SUBMIT, form);
    expect([response.statusCode, response.body]).toEqual([413, expect.stringContaining('large.pdf')]);
    expect(app.application.received).toEqual([]);
  });

  it('share the slots of payment files', async () => {
    const app = anApp({ submissions: { maxConcurrentPerUser: 0 } });
    expect((await send(app, SUBMIT, aForm())).statusCode).toBe(503);
  });

  it('as JSON are told what to send instead', async () => {
    const { as } = anApp();
    const response = await as('onboarder', { method: 'POST', url: SUBMIT, payload: { email: 'anna@example.test' } });
    expect([response.statusCode, response.body]).toEqual([415, expect.stringContaining('multipart/form-data')]);
    expect(response.body).not.toContain('anna');
  });
});

describe('what a case waits for', () => {
  it('reaches the application with the revision that was seen', async () => {
    const app = anAppWithACase();
    const response = await send(app, SUPPLY, aForm({ revision: '1' }, 'new.yaml'));
    expect([response.statusCode, response.json()]).toEqual([200, { caseId: CASE, revision: 2 }]);
    expect(app.application.received[0]?.given).toEqual({ fileName: 'new.yaml', format: 'yaml', revision: 1 });
  });

  it('is refused when the case has changed, does not exist or is named wrongly', async () => {
    const app = anAppWithACase();
    app.application.failures.set('supplyCase', new ApplicationError('conflict', 'look at the case again'));
    expect((await send(app, SUPPLY, aForm({ revision: '1' }))).statusCode).toBe(409);
    app.application.failures.clear();
    app.application.cases.clear();
    expect((await send(app, SUPPLY, aForm({ revision: '1' }))).statusCode).toBe(404);
    expect((await send(app, '/api/v1/cases/anna/supply', aForm({ revision: '1' }))).statusCode).toBe(400);
  });
});
