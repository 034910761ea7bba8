import { detailOf } from '../server/fake-inbox.ts';
import { profileSchema } from '../../domain/import-profiles/profile.ts';
import { describe, expect, it } from 'vitest';
import {
  AnswerMismatchError,
  createPayrunClient,
  FileRefusedError,
  PayrunApiError,
  PayrunUnreachableError,
} from '../../client/sdk/index.ts';
import { anAuditEntry, aProblem, aRow, aRun } from '../server/application-records.ts';
import { aClient, all, anOddServer } from './sdk-harness.ts';

describe('the client', () => {
  it('submits a file with everything that belongs to it', async () => {
    const { application, client } = await aClient('maker');
    const file = { name: 'a.pdf', contentType: 'application/pdf', bytes: new Uint8Array([1, 2, 255]) };
    const options = {
      profile: profileSchema.parse({
        name: 'Payroll',
        headers: ['Betrag'],
        columns: { amount: { from: ['Betrag'] }, sell_currency: { constant: 'SGD' } },
      }),
      account: 'asia',
      idempotencyKey: 'may-2026',
    };
    const run = {
      fileName: 'payroll.csv',
      file: 'row_ref\r\nä\r\n',
      files: [file],
      onInvalid: 'skip' as const,
      ...options,
    };
    expect(await client.submitRun(run)).toEqual({
      runId: '018f2a00-0000-7000-8000-000000000001',
      skipped: [],
      skippedCount: 0,
      warnings: [],
      warningCount: 0,
    });
    const submission = application.submissions[0]?.submission;
    expect(submission).toMatchObject({ fileName: 'payroll.csv', onInvalid: 'skip', ...options });
    expect(Buffer.from(submission?.file ?? []).toString()).toBe(run.file);
    expect(submission?.files.map(({ name, bytes }) => [name, [...bytes]])).toEqual([['a.pdf', [1, 2, 255]]]);
  });

  it('gives every problem of a refused file', async () => {
    const { application, client } = await aClient('maker');
    const problems = [aProblem(), aProblem({ line: 9 })];
    application.outcome = { kind: 'refused', problems, problemCount: 5_321 };
    const error: unknown = await client.submitRun({ fileName: 'a.csv', file: '' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FileRefusedError);
    expect(error).toMatchObject({ status: 422, code: 'file_refused', problems, problemCount: 5_321 });
  });

  it('reads, and manages tokens', async () => {
    const { client } = await aClient();
    expect(await client.listRuns()).toEqual({ runs: [aRun()], next: null });
    expect(await client.getRun({ runId: '018f2a00-0000-7000-8000-000000000001' })).toEqual(detailOf(aRun()));
    expect((await client.getMe()).roles).toEqual(['administrator']);
    const { token, tokenId } = await client.issueToken({ label: 'report' });
    expect(token).toBe('secret-1');
    expect(await client.listTokens()).toMatchObject({
      tokens: [{ tokenId, login: 'administrator', label: 'report' }],
    });
    await client.revokeToken({ tokenId });
    expect(await client.listTokens()).toEqual({ tokens: [] });
  });

  it('limits a user to accounts, and gives all of them with null', async () => {
    const { application, client } = await aClient();
    const userId = '018f2a00-0000-7000-8000-0000000000e1';
    expect(await client.limitUser({ userId, accounts: ['subsidiary'] })).toEqual({ change: null });
    const all = await client.limitUser({ userId, accounts: null });
    expect(all.change?.state).toBe('pending');
    expect(application.calls.map(({ asked }) => asked)).toMatchObject([
      { accounts: ['subsidiary'] },
      { accounts: null },
    ]);
  });

  it('decides', async () => {
    const { application, client } = await aClient('checker');
    const runId = '018f2a00-0000-7000-8000-000000000001';
    const contentHash = 'a'.repeat(64);
    expect(await client.approveRun({ runId, contentHash })).toMatchObject({
      run: { state: 'running' },
      stepsTaken: 1,
      steps: 1,
    });
    const rejected = await client.rejectRun({ runId, comment: 'wrong month', contentHash });
    expect(rejected).toMatchObject({ run: { state: 'rejected' }, stepsTaken: null });
    expect(application.decisions.map(({ decision }) => decision)).toEqual([
      { comment: null, contentHash },
      { comment: 'wrong month', contentHash },
    ]);
  });

  it('fetches all rows, however many pages they fill', async () => {
    const { application, client } = await aClient();
    application.rows = Array.from({ length: 1_100 }, (_, index) => aRow({ line: index + 2 }));
    expect(
      (await all(client.eachRow({ runId: '018f2a00-0000-7000-8000-000000000001' }))).map(({ line }) => line),
    ).toEqual(application.rows.map(({ line }) => line));
    expect(await all(client.eachRow({ runId: '018f2a00-0000-7000-8000-000000000001', state: 'failed' }))).toEqual([]);
  });

  it('reads the audit trail from either end, and that of one person', async () => {
    const { application, client } = await aClient();
    const [one, other] = ['1', '2'].map((end) => `018f2a00-0000-7000-8000-0000000000e${end}`) as [string, string];
    application.auditEntries = Array.from({ length: 1_200 }, (_, index) =>
      anAuditEntry({ entryId: index + 1, actor: index % 2 === 0 ? one : other }),
    );
    expect(await all(client.eachGlobalAuditEntry())).toEqual(application.auditEntries);
    expect(await all(client.eachGlobalAuditEntry({ order: 'newest' }))).toEqual(application.auditEntries.toReversed());
    const own = await all(client.eachGlobalAuditEntry({ order: 'newest', userId: one, to: '2026-01-31' }));
    expect(own.map(({ entryId }) => entryId)).toEqual(Array.from({ length: 600 }, (_, index) => 1_199 - 2 * index));
    await expect(all(client.eachGlobalAuditEntry({ to: 'soon' }))).rejects.toMatchObject({ status: 400 });
  });

  it('streams files, and throws when one is interrupted', async () => {
    const { application, client } = await aClient('viewer');
    application.pieces = ['ref,beneficiary\r\n', '1,Müller\r\n'];
    expect((await all(client.getResults({ runId: '018f2a00-0000-7000-8000-000000000001' }))).join('')).toBe(
      'ref,beneficiary\r\n1,Müller\r\n',
    );
    application.breaksAfterPieces = 1;
    await expect(all(client.getExceptions({ runId: '018f2a00-0000-7000-8000-000000000001' }))).rejects.toThrow(
      PayrunUnreachableError,
    );
    expect((await all(client.getFileTemplate())).join('')).toMatch(/^row_ref,.*\r\n$/);
  });

  it('returns the review of a run, and its supporting files', async () => {
    const { application, client } = await aClient('treasurer');
    application.review.findings.push({ kind: 'pays_later', id: 'pays_later:2', day: '2026-12-01', rowCount: 2 });
    expect(await client.getReview({ runId: '018f2a00-0000-7000-8000-000000000001' })).toEqual(application.review);
    const file = { name: 'ä/b %2F"?.pdf', contentType: 'application/pdf', sizeBytes: 3, sha256: 'b'.repeat(64) };
    application.files = [{ ...file, bytes: new Uint8Array([0, 255, 10]) }];
    expect(await client.listFiles({ runId: '018f2a00-0000-7000-8000-000000000001' })).toEqual({ files: [file] });
    const pieces = await all(client.getFile({ runId: '018f2a00-0000-7000-8000-000000000001', name: file.name }));
    expect(Buffer.concat(pieces)).toEqual(Buffer.from([0, 255, 10]));
    await expect(
      all(client.getFile({ runId: '018f2a00-0000-7000-8000-000000000001', name: 'none' })),
    ).rejects.toMatchObject({
      status: 404,
    });
  });

  it('returns health also when a service fails', async () => {
    const { application, client } = await aClient();
    application.troubles.postgres = 'down';
    expect(await client.getHealth()).toMatchObject({ status: 'failing', services: { postgres: 'failing' } });
  });

  it('throws errors of the server with status, code and message', async () => {
    const { client } = await aClient();
    const error: unknown = await client
      .getRun({ runId: '018f2a00-0000-7000-8000-000000000009' })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PayrunApiError);
    expect(error).toMatchObject({
      status: 404,
      code: 'not_found',
      message: 'there is no run 018f2a00-0000-7000-8000-000000000009',
    });
  });

  it('escapes ids, so that they cannot reach another address', async () => {
    const { client } = await aClient();
    await expect(client.getRun({ runId: '../tokens' })).rejects.toMatchObject({ status: 400 });
  });

  it('distinguishes a server that is down from one that refuses', async () => {
    const url = await anOddServer((_request, response) => response.destroy());
    await expect(createPayrunClient({ url, token: null }).getMe()).rejects.toThrow(PayrunUnreachableError);
    const nowhere = createPayrunClient({ url: 'http://127.0.0.1:1', token: null });
    await expect(nowhere.getMe()).rejects.toThrow('no answer from payrun at http://127.0.0.1:1');
  });

  it('treats an answer that takes too long as none', async () => {
    const url = await anOddServer(() => undefined);
    const client = createPayrunClient({ url, token: null, timeoutMs: 20 });
    await expect(client.getMe()).rejects.toThrow(PayrunUnreachableError);
  });

  it('reports an answer that is not one of payrun’s', async () => {
    const url = await anOddServer((_request, response) => response.end('<html>'));
    await expect(createPayrunClient({ url, token: null }).getMe()).rejects.toMatchObject({ code: 'unexpected_answer' });
    const proxy = await anOddServer((_request, response) => response.writeHead(502).end('<html>'));
    await expect(createPayrunClient({ url: proxy, token: null }).getMe()).rejects.toThrow(PayrunUnreachableError);
  });

  it('names the field of an answer in another shape, without its value', async () => {
    const answers: Record<string, unknown> = {
      '/api/v1/runs': { runs: [aRun(), { ...aRun(), rowCount: 'Budi' }], next: null },
      '/api/v1/me': [],
    };
    const url = await anOddServer((request, response) =>
      response.end(JSON.stringify(answers[(request.url ?? '').replace(/\?.*/, '')])),
    );
    const client = createPayrunClient({ url, token: null });
    const error: unknown = await client.listRuns().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AnswerMismatchError);
    expect(error).toMatchObject({ code: 'unexpected_answer', status: 200, field: 'runs.1.rowCount' });
    expect(String(error)).toContain('runs.1.rowCount');
    expect(String(error)).toContain('client and server are of different versions');
    expect(String(error)).not.toContain('Budi');
    await expect(client.getMe()).rejects.toMatchObject({ code: 'unexpected_answer', field: '' });
  });

  it('ignores fields that it does not know', async () => {
    const url = await anOddServer((_request, response) =>
      response.end(
        JSON.stringify({ ...detailOf(aRun()), colour: 'green', submittedBy: { ...aRun().submittedBy, age: 7 } }),
      ),
    );
    expect(
      await createPayrunClient({ url, token: null }).getRun({ runId: '018f2a00-0000-7000-8000-000000000001' }),
    ).toEqual(detailOf(aRun()));
  });

  it('passes on the code of an error that it does not know', async () => {
    const url = await anOddServer((_request, response) =>
      response.writeHead(418).end('{"error":{"code":"teapot","message":"short and stout"}}'),
    );
    await expect(createPayrunClient({ url, token: null }).getMe()).rejects.toMatchObject({
      status: 418,
      code: 'teapot',
    });
  });

  it('sends its token to no other server when it is redirected', async () => {
    const seen: (string | undefined)[] = [];
    const thief = await anOddServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end('{}');
    });
    const url = await anOddServer((_request, response) => response.writeHead(302, { location: thief }).end());
    await expect(createPayrunClient({ url, token: 'secret' }).getMe()).rejects.toThrow();
    expect(seen).toEqual([]);
  });

  it.each(['localhost:8700', 'ftp://127.0.0.1', 'nonsense', 'http://name:word@127.0.0.1'])(
    '%s is no address',
    (url) => {
      expect(() => createPayrunClient({ url, token: null })).toThrow(TypeError);
    },
  );
});
