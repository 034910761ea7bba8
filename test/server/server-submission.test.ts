import { profileSchema } from '../../domain/import-profiles/profile.ts';
import { describe, expect, it } from 'vitest';
import { ApplicationError } from '../../application/application-error.ts';
import { aProblem } from './application-records.ts';
import type { TestApp } from './server-harness.ts';
import { anApp, formRequest } from './server-harness.ts';

const CSV = 'row_ref,amount\r\nINV-1,10.00\r\n';
const FILE_LIMIT_BYTES = 10_485_760;

function aForm(fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([CSV]), 'payroll.csv');
  return form;
}

async function submit({ as }: TestApp, form: FormData, more: Record<string, string> = {}) {
  const { headers, ...request } = await formRequest(form);
  return as('maker', { method: 'POST', url: '/api/v1/runs', ...request, headers: { ...headers, ...more } });
}

const PROFILE = {
  name: 'Payroll',
  headers: ['Betrag'],
  columns: { amount: { from: ['Betrag'] }, sell_currency: { constant: 'SGD' } },
};

async function messageOf(app: TestApp, form: FormData, status: number): Promise<string> {
  const response = await submit(app, form);
  expect(response.statusCode).toBe(status);
  expect(app.application.submissions).toEqual([]);
  return response.json<{ error: { message: string } }>().error.message;
}

describe('a submission', () => {
  it('reaches the application byte for byte, with its files and options', async () => {
    const app = anApp();
    const bytes = new Uint8Array([0, 255, 13, 10, 0xef, 0xbb, 0xbf]);
    const form = aForm({ profile: JSON.stringify(PROFILE), onInvalid: 'skip', checkOnly: 'true' });
    form.set('account', 'subsidiary');
    form.append('files', new Blob([bytes], { type: 'application/pdf' }), 'invoice 1.pdf');
    const response = await submit(app, form);
    expect(response.statusCode).toBe(201);
    expect(response.headers.location).toBe('/api/v1/runs/018f2a00-0000-7000-8000-000000000001');
    expect(response.json()).toEqual({
      runId: '018f2a00-0000-7000-8000-000000000001',
      skipped: [],
      skippedCount: 0,
      warnings: [],
      warningCount: 0,
    });
    const [received] = app.application.submissions;
    expect(received?.user).toMatchObject({ userId: 'user-maker', roles: ['maker'] });
    expect({ ...received?.submission, file: null, files: null }).toEqual({
      account: 'subsidiary',
      fileName: 'payroll.csv',
      file: null,
      profile: profileSchema.parse(PROFILE),
      files: null,
      onInvalid: 'skip',
      checkOnly: true,
      idempotencyKey: null,
    });
    expect(Buffer.from(received?.submission.file ?? []).toString()).toBe(CSV);
    expect(received?.submission.files.map((file) => ({ ...file, bytes: [...file.bytes] }))).toEqual([
      { name: 'invoice 1.pdf', bytes: [...bytes] },
    ]);
  });

  it('needs nothing but the file', async () => {
    const app = anApp();
    expect((await submit(app, aForm())).statusCode).toBe(201);
    const submission = app.application.submissions[0]?.submission;
    expect(submission).toMatchObject({
      account: null,
      profile: null,
      files: [],
      onInvalid: 'reject',
      checkOnly: false,
    });
  });

  it('may have an idempotency key of visible characters', async () => {
    const app = anApp();
    expect((await submit(app, aForm(), { 'idempotency-key': 'may-2026' })).statusCode).toBe(201);
    expect(app.application.submissions[0]?.submission.idempotencyKey).toBe('may-2026');
    for (const key of ['', 'a b', 'x'.repeat(201)]) {
      expect((await submit(app, aForm(), { 'idempotency-key': key })).statusCode).toBe(400);
    }
    expect(app.application.submissions).toHaveLength(1);
  });

  it('that the application refuses is 422 with the problems and their count', async () => {
    const app = anApp();
    const problems = [aProblem(), aProblem({ line: 3, column: null })];
    app.application.outcome = { kind: 'refused', problems, problemCount: 5_321 };
    const response = await submit(app, aForm());
    expect(response.statusCode).toBe(422);
    const details = { problems, problemCount: 5_321 };
    expect(response.json()).toMatchObject({ error: { code: 'file_refused', details } });
    expect(response.body).toContain('5321 things in it are wrong');
  });

  it('for an unknown account is answered with the message of the application', async () => {
    const app = anApp();
    app.application.failures.set('submit', new ApplicationError('invalid_input', 'there is no account "x"'));
    expect(await messageOf(app, aForm({ account: 'x' }), 400)).toBe('there is no account "x"');
  });

  it.each([
    [{ profile: JSON.stringify({ ...PROFILE, columns: { amount: { constant: 10 } } }) }, 'profile.columns.amount'],
    [{ profile: '{amount}' }, 'profile: is not JSON'],
    [{ profile: '[1]' }, 'profile'],
    [{ profile: JSON.stringify({ ...PROFILE, columns: { ammount: { from: ['Betrag'] } } }) }, 'profile.columns'],
    [{ onInvalid: 'ignore' }, 'onInvalid'],
    [{ onInvald: 'skip' }, 'onInvald'],
    [{ files: 'text' }, 'files: must be sent as a file'],
  ])('with %j is refused with the name of the field', async (fields, expected) => {
    expect(await messageOf(anApp(), aForm(fields), 400)).toContain(expected);
  });

  it('without a payment file says so', async () => {
    const form = new FormData();
    form.set('onInvalid', 'reject');
    expect(await messageOf(anApp(), form, 400)).toContain('file: is missing');
  });

  it('with two payment files is refused', async () => {
    const form = aForm();
    form.append('file', new Blob([CSV]), 'again.csv');
    expect(await messageOf(anApp(), form, 400)).toContain('file: is there twice');
  });

  it('with two files of one name is refused', async () => {
    const form = aForm();
    form.append('files', new Blob(['a']), 'same.pdf');
    form.append('files', new Blob(['b']), 'same.pdf');
    expect(await messageOf(anApp(), form, 400)).toContain('"same.pdf"');
  });

  it('with a file of exactly the limit is accepted, and of one byte more refused by name', async () => {
    const app = anApp();
    const form = aForm();
    form.append('files', new Blob([new Uint8Array(FILE_LIMIT_BYTES + 1)]), 'large.pdf');
    const message = await messageOf(app, form, 413);
    expect(message).toContain('"large.pdf"');
    expect(message).toContain(String(FILE_LIMIT_BYTES));
    const fitting = aForm();
    fitting.append('files', new Blob([new Uint8Array(FILE_LIMIT_BYTES)]), 'large.pdf');
    expect((await submit(app, fitting)).statusCode).toBe(201);
  });

  it('with more than 2,000 files is refused', async () => {
    const form = aForm();
    for (let index = 0; index <= 2_000; index += 1) form.append('files', new Blob(['x']), `f${index}.pdf`);
    await messageOf(anApp(), form, 413);
  });

  it('as JSON is told what to send instead', async () => {
    const { as } = anApp();
    const response = await as('maker', { method: 'POST', url: '/api/v1/runs', payload: { csv: CSV } });
    expect(response.statusCode).toBe(415);
    expect(response.body).toContain('multipart/form-data');
  });

  it('that breaks off is refused and does not reach the application', async () => {
    const { as, application } = anApp();
    const { payload, headers } = await formRequest(aForm());
    const cut = payload.subarray(0, payload.length - 30);
    const response = await as('maker', { method: 'POST', url: '/api/v1/runs', payload: cut, headers });
    expect(response.statusCode).toBe(400);
    expect(application.submissions).toEqual([]);
  });
});
