import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunSummary } from '../../client/sdk/index.ts';
import {
  createPayrunClient,
  FileRefusedError,
  PayrunApiError,
  PayrunUnreachableError,
} from '../../client/sdk/index.ts';
import { aProblem, aRow, aRun } from '../server/application-records.ts';
import { TOKENS } from '../server/fake-application.ts';
import type { Role } from '../../domain/users/role.ts';
import { aServer } from '../server/server-harness.ts';

async function aClient(role: Role = 'administrator') {
  const { application, server } = await aServer({ feed: { pollMs: 2 } });
  application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
  return { application, client: createPayrunClient({ url: server.url, token: TOKENS[role] }) };
}

async function anOddServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) taken.push(item);
  return taken;
}

describe('the client', () => {
  it('submits a file with everything that belongs to it', async () => {
    const { application, client } = await aClient('maker');
    const file = { name: 'a.pdf', contentType: 'application/pdf', bytes: new Uint8Array([1, 2, 255]) };
    const options = {
      defaults: { sell_currency: 'SGD' },
      mapping: { Betrag: 'amount' },
      account: 'asia',
      idempotencyKey: 'may-2026',
    };
    const run = {
      fileName: 'payroll.csv',
      csv: 'row_ref\r\nä\r\n',
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
    expect(Buffer.from(submission?.csv ?? []).toString()).toBe(run.csv);
    expect(submission?.files.map(({ name, bytes }) => [name, [...bytes]])).toEqual([['a.pdf', [1, 2, 255]]]);
  });

  it('gives every problem of a refused file', async () => {
    const { application, client } = await aClient('maker');
    const problems = [aProblem(), aProblem({ line: 9 })];
    application.outcome = { kind: 'refused', problems, problemCount: 5_321 };
    const error: unknown = await client.submitRun({ fileName: 'a.csv', csv: '' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FileRefusedError);
    expect(error).toMatchObject({ status: 422, code: 'file_refused', problems, problemCount: 5_321 });
  });

  it('reads, and manages tokens', async () => {
    const { client } = await aClient();
    expect(await client.listRuns()).toEqual({ runs: [aRun()], next: null });
    expect(await client.getRun('018f2a00-0000-7000-8000-000000000001')).toEqual(aRun());
    expect((await client.me()).roles).toEqual(['administrator']);
    const { token, tokenId } = await client.tokens.create({ label: 'report' });
    expect(token).toBe('secret-1');
    expect(await client.tokens.list()).toMatchObject([{ tokenId, login: 'administrator', label: 'report' }]);
    await client.tokens.revoke(tokenId);
    expect(await client.tokens.list()).toEqual([]);
  });

  it('decides', async () => {
    const { application, client } = await aClient('checker');
    const runId = '018f2a00-0000-7000-8000-000000000001';
    const contentHash = 'a'.repeat(64);
    expect(await client.approveRun(runId, { contentHash })).toMatchObject({
      run: { state: 'running' },
      step: 1,
      steps: 1,
    });
    const rejected = await client.rejectRun(runId, { comment: 'wrong month', contentHash });
    expect(rejected).toMatchObject({ run: { state: 'rejected' }, step: null });
    expect(application.decisions.map(({ decision }) => decision)).toEqual([
      { comment: null, contentHash },
      { comment: 'wrong month', contentHash },
    ]);
  });

  it('fetches all rows, however many pages they fill', async () => {
    const { application, client } = await aClient();
    application.rows = Array.from({ length: 1_100 }, (_, index) => aRow({ line: index + 2 }));
    expect((await all(client.listRows('018f2a00-0000-7000-8000-000000000001'))).map(({ line }) => line)).toEqual(
      application.rows.map(({ line }) => line),
    );
    expect(await all(client.listRows('018f2a00-0000-7000-8000-000000000001', { state: 'failed' }))).toEqual([]);
  });

  it('streams files, and throws when one breaks off', async () => {
    const { application, client } = await aClient('viewer');
    application.pieces = ['ref,beneficiary\r\n', '1,Müller\r\n'];
    expect((await all(client.results('018f2a00-0000-7000-8000-000000000001'))).join('')).toBe(
      'ref,beneficiary\r\n1,Müller\r\n',
    );
    application.breaksAfterPieces = 1;
    await expect(all(client.exceptions('018f2a00-0000-7000-8000-000000000001'))).rejects.toThrow(
      PayrunUnreachableError,
    );
  });

  it('gives what stands out in a run, and its supporting files', async () => {
    const { application, client } = await aClient('treasurer');
    application.review.findings.push({ kind: 'pays_later', day: '2026-12-01', rowCount: 2 });
    expect(await client.getReview('018f2a00-0000-7000-8000-000000000001')).toEqual(application.review);
    const file = { name: 'ä/b %2F"?.pdf', contentType: 'application/pdf', sizeBytes: 3, sha256: 'b'.repeat(64) };
    application.files = [{ ...file, bytes: new Uint8Array([0, 255, 10]) }];
    expect(await client.listFiles('018f2a00-0000-7000-8000-000000000001')).toEqual([file]);
    const pieces = await all(client.getFile('018f2a00-0000-7000-8000-000000000001', file.name));
    expect(Buffer.concat(pieces)).toEqual(Buffer.from([0, 255, 10]));
    await expect(all(client.getFile('018f2a00-0000-7000-8000-000000000001', 'none'))).rejects.toMatchObject({
      status: 404,
    });
  });

  it('tells health also when something fails', async () => {
    const { application, client } = await aClient();
    application.troubles.postgres = 'down';
    expect(await client.health()).toMatchObject({ status: 'failing', services: { postgres: 'failing' } });
  });

  it('tells what the server refuses with status, code and message', async () => {
    const { client } = await aClient();
    const error: unknown = await client
      .getRun('018f2a00-0000-7000-8000-000000000009')
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PayrunApiError);
    expect(error).toMatchObject({
      status: 404,
      code: 'not_found',
      message: 'there is no run 018f2a00-0000-7000-8000-000000000009',
    });
  });

  it('keeps what is odd in an id from reaching another address', async () => {
    const { client } = await aClient();
    await expect(client.getRun('../tokens')).rejects.toMatchObject({ status: 400 });
  });

  it('tells a server that does not run from one that refuses', async () => {
    const url = await anOddServer((_request, response) => response.destroy());
    await expect(createPayrunClient({ url, token: null }).me()).rejects.toThrow(PayrunUnreachableError);
    const nowhere = createPayrunClient({ url: 'http://127.0.0.1:1', token: null });
    await expect(nowhere.me()).rejects.toThrow('no answer from payrun at http://127.0.0.1:1');
  });

  it('takes too long an answer for none', async () => {
    const url = await anOddServer(() => undefined);
    const client = createPayrunClient({ url, token: null, timeoutMs: 20 });
    await expect(client.me()).rejects.toThrow(PayrunUnreachableError);
  });

  it('says when something else than payrun answers', async () => {
    const url = await anOddServer((_request, response) => response.end('<html>'));
    await expect(createPayrunClient({ url, token: null }).me()).rejects.toMatchObject({ code: 'unexpected_answer' });
    const proxy = await anOddServer((_request, response) => response.writeHead(502).end('<html>'));
    await expect(createPayrunClient({ url: proxy, token: null }).me()).rejects.toThrow(PayrunUnreachableError);
  });

  it('takes its token nowhere else when it is sent there', async () => {
    const seen: (string | undefined)[] = [];
    const thief = await anOddServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end('{}');
    });
    const url = await anOddServer((_request, response) => response.writeHead(302, { location: thief }).end());
    await expect(createPayrunClient({ url, token: 'secret' }).me()).rejects.toThrow();
    expect(seen).toEqual([]);
  });

  it.each(['localhost:8700', 'ftp://127.0.0.1', 'nonsense', 'http://name:word@127.0.0.1'])(
    '%s is no address',
    (url) => {
      expect(() => createPayrunClient({ url, token: null })).toThrow(TypeError);
    },
  );
});

describe('watching a run', () => {
  const noWait = () => Promise.resolve();

  it('gives each state once and ends with the run', async () => {
    const { application, client } = await aClient();
    const states: string[] = [];
    for await (const run of client.watchRun('018f2a00-0000-7000-8000-000000000001')) {
      states.push(run.state);
      application.runs.set(
        '018f2a00-0000-7000-8000-000000000001',
        aRun({ state: run.state === 'in_approval' ? 'running' : 'completed' }),
      );
    }
    expect(states).toEqual(['in_approval', 'running', 'completed']);
  });

  /** A server whose connections end in turn as told; what it sends is in the hands of the test. */
  function connections(...turns: RequestListener[]): Promise<string> {
    return anOddServer((request, response) => {
      const turn = turns.length > 1 ? turns.shift() : turns[0];
      turn?.(request, response);
    });
  }

  function events(...runs: (RunSummary | 'end')[]): string {
    return runs
      .map((run) => (run === 'end' ? 'event: end\ndata: {}\n\n' : `event: summary\ndata: ${JSON.stringify(run)}\n\n`))
      .join('');
  }

  it('goes on after the line broke, without telling the same twice', async () => {
    const url = await connections(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(events(aRun()), () => response.destroy());
      },
      (_request, response) => response.destroy(),
      (_request, response) => response.writeHead(503).end('{"error":{"code":"unavailable","message":"soon"}}'),
      (_request, response) => response.end(events(aRun())),
      (_request, response) => response.end(events(aRun(), aRun({ state: 'completed' }), 'end')),
    );
    const runs = await all(
      createPayrunClient({ url, token: null }).watchRun('018f2a00-0000-7000-8000-000000000001', { wait: noWait }),
    );
    expect(runs.map(({ state }) => state)).toEqual(['in_approval', 'completed']);
  });

  it('takes a line that is silent for too long for dead', async () => {
    const url = await connections(
      (_request, response) => response.write(events(aRun())),
      (_request, response) => response.end(events(aRun({ state: 'completed' }), 'end')),
    );
    const watching = createPayrunClient({ url, token: null }).watchRun('018f2a00-0000-7000-8000-000000000001', {
      wait: noWait,
      silenceMs: 1_000,
    });
    expect((await all(watching)).map(({ state }) => state)).toEqual(['in_approval', 'completed']);
  });

  it('waits longer and longer, and gives up when its patience is at its end', async () => {
    const url = await connections((_request, response) => response.destroy());
    const waits: number[] = [];
    const wait = (delayMs: number) => {
      waits.push(delayMs);
      return Promise.resolve();
    };
    const watching = createPayrunClient({ url, token: null }).watchRun('018f2a00-0000-7000-8000-000000000001', {
      wait,
      patienceMs: 20_000,
    });
    await expect(all(watching)).rejects.toThrow(PayrunUnreachableError);
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
  });

  it('does not insist where it is refused', async () => {
    const { client } = await aClient();
    const wait = () => Promise.reject(new Error('it waited'));
    await expect(all(client.watchRun('018f2a00-0000-7000-8000-000000000009', { wait }))).rejects.toMatchObject({
      status: 404,
    });
  });

  it('ends with its reason when it is aborted', async () => {
    const { client } = await aClient();
    const gone = new AbortController();
    const watching = (async () => {
      for await (const run of client.watchRun('018f2a00-0000-7000-8000-000000000001', { signal: gone.signal }))
        gone.abort(new Error(run.state));
    })();
    await expect(watching).rejects.toThrow('in_approval');
  });
});
