import { mkdir, readdir, stat, utimes } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Submission } from '../../application/runs/submission.ts';
import type { FileContent } from '../../application/payment-file/file-content.ts';
import { aFolder } from '../client/cli-harness.ts';
import { until } from '../helpers/until.ts';
import { type FakeApplication, TOKENS } from './fake-application.ts';
import type { TestApp } from './server-harness.ts';
import { anApp, aServer, formRequest } from './server-harness.ts';

function aForm(): FormData {
  const form = new FormData();
  form.set('file', new Blob(['row_ref\nA\n']), 'payroll.csv');
  form.append('files', new Blob(['%PDF-1.4']), '../../invoice.pdf');
  return form;
}

async function submit(
  { app, application }: Pick<TestApp, 'app' | 'application'>,
  as: 'maker' | 'another maker' = 'maker',
  form = aForm(),
) {
  const { payload, headers } = await formRequest(form);
  const authorization = `Bearer ${as === 'maker' ? TOKENS.maker : anotherMaker(application)}`;
  return app.inject({ method: 'POST', url: '/api/v1/runs', payload, headers: { ...headers, authorization } });
}

/** The token of a second user who may submit. */
function anotherMaker({ users }: FakeApplication): string {
  const maker = users.get(TOKENS.maker);
  if (maker === undefined) throw new Error('there is no maker');
  users.set('maker-token-2', { ...maker, userId: 'user-maker-2' });
  return 'maker-token-2';
}

const pathOf = (content: FileContent): string => ('path' in content ? content.path : '');

describe('a submission that is being received', () => {
  it('is kept in a folder that only the server can read, and removed once it is answered', async () => {
    const spoolFolder = await aFolder();
    const app = anApp({ submissions: { spoolFolder } });
    const seen: { path: string; mode: number }[] = [];
    app.application.whileSubmitting = async ({ file, files }: Submission) => {
      const paths = [file, ...files.map(({ bytes }) => bytes)].map(pathOf);
      for (const path of [dirname(paths[0] ?? ''), ...paths])
        seen.push({ path, mode: (await stat(path)).mode & 0o777 });
    };
    expect((await submit(app)).statusCode).toBe(201);
    expect(seen.map(({ mode }) => mode)).toEqual([0o700, 0o600, 0o600]);
    expect(seen.every(({ path }) => path.startsWith(spoolFolder))).toBe(true);
    expect(seen.filter(({ path }) => path.includes('invoice'))).toEqual([]);
    expect(await readdir(spoolFolder)).toEqual([]);
    expect(app.application.submissions[0]?.submission.files[0]?.name).toBe('invoice.pdf');
  });

  it('is removed when it is refused, and when the application fails', async () => {
    const spoolFolder = await aFolder();
    const app = anApp({ submissions: { spoolFolder, maxConcurrent: 1 } });
    const twice = aForm();
    twice.append('file', new Blob(['row_ref\n']), 'again.csv');
    expect((await submit(app, 'maker', twice)).statusCode).toBe(400);
    app.application.failures.set('submit', new Error('the database went away'));
    expect((await submit(app)).statusCode).toBe(500);
    expect(await readdir(spoolFolder)).toEqual([]);
    app.application.failures.clear();
    expect((await submit(app)).statusCode).toBe(201);
  });

  it('is removed when its sender disconnects, and its slot is released', async () => {
    const spoolFolder = await aFolder();
    const { server, application } = await aServer({ submissions: { spoolFolder, maxConcurrent: 1 } });
    const { payload, headers } = await formRequest(aForm());
    const address = new URL(server.url);
    const socket = connect(Number(address.port), address.hostname);
    const head = ['POST /api/v1/runs HTTP/1.1', 'host: payrun', `authorization: Bearer ${TOKENS.maker}`];
    head.push(`content-type: ${headers['content-type'] ?? ''}`, `content-length: ${payload.length}`, '', '');
    socket.write(head.join('\r\n'));
    socket.write(payload.subarray(0, payload.length - 30));
    await until(async () => (await readdir(spoolFolder)).length === 1);
    socket.destroy();
    await until(async () => (await readdir(spoolFolder)).length === 0);
    await until(async () => (await submitTo(server.url)) === 201);
    expect(application.submissions).toHaveLength(1);
  });

  it('is refused when there is no spool folder, without naming the folder', async () => {
    const app = anApp({ submissions: { spoolFolder: '/nowhere/at/all' } });
    const response = await submit(app);
    expect(response.statusCode).toBe(500);
    expect(response.body).not.toContain('nowhere');
  });
});

async function submitTo(url: string): Promise<number> {
  const headers = { authorization: `Bearer ${TOKENS.maker}` };
  return (await fetch(`${url}/api/v1/runs`, { method: 'POST', headers, body: aForm() })).status;
}

describe('concurrent submissions', () => {
  /** An application whose application takes submissions and answers them when it is told to. */
  function aBusyApp(submissions: { maxConcurrent?: number; maxConcurrentPerUser?: number } = {}) {
    const app = anApp({ submissions });
    const waiting: (() => void)[] = [];
    app.application.whileSubmitting = () => new Promise((resolve) => waiting.push(resolve));
    const untilTaken = (count: number) => until(() => Promise.resolve(waiting.length === count));
    return { ...app, untilTaken, finish: () => waiting.splice(0).forEach((resolve) => resolve()) };
  }

  it('up to the limit of the server are accepted, and the next one is refused for now', async () => {
    const app = aBusyApp({ maxConcurrentPerUser: 4 });
    const taken = Array.from({ length: 4 }, () => submit(app));
    await app.untilTaken(4);
    const refused = await submit(app, 'another maker');
    expect(refused.statusCode).toBe(503);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect(refused.json()).toMatchObject({ error: { code: 'unavailable' } });
    expect(refused.json<{ error: { message: string } }>().error.message).toContain('4 submissions');
    app.finish();
    expect((await Promise.all(taken)).map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201]);
    const next = submit(app, 'another maker');
    await app.untilTaken(1);
    app.finish();
    expect((await next).statusCode).toBe(201);
  });

  it('up to the limit of one user are accepted, and others keep their slots', async () => {
    const app = aBusyApp();
    const taken = [submit(app), submit(app)];
    await app.untilTaken(2);
    const refused = await submit(app);
    expect(refused.statusCode).toBe(503);
    expect(refused.json<{ error: { message: string } }>().error.message).toContain('you have 2 submissions');
    const others = submit(app, 'another maker');
    await app.untilTaken(3);
    app.finish();
    const all = await Promise.all([...taken, others]);
    expect(all.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201]);
  });

  it('are refused before their bodies are read', async () => {
    const { server, application } = await aServer({ submissions: { maxConcurrent: 1 } });
    let finish = (): void => undefined;
    const taken = new Promise<void>((resolve) => {
      application.whileSubmitting = () => {
        resolve();
        return new Promise((done) => (finish = done));
      };
    });
    const first = submitTo(server.url);
    await taken;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${anotherMaker(application)}`,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': 1_000_000,
      };
      const request = httpRequest(`${server.url}/api/v1/runs`, { method: 'POST', headers }, (response) => {
        resolve(response.statusCode);
        request.destroy();
      });
      request.once('error', reject);
      // The rest of the body never comes.
      request.write('--x\r\n');
    });
    expect(status).toBe(503);
    finish();
    expect(await first).toBe(201);
  });
});

describe('files that a crash left behind', () => {
  it('are removed at the next start, and files of running servers are not', async () => {
    const spoolFolder = await aFolder();
    const host = hostname().replaceAll(/[^A-Za-z0-9.]/g, '_');
    const dead = 4_194_304 + 1;
    const folders = {
      ofADeadProcess: `payrun-submission-${host}-${dead}-1700000000000-abcDEF`,
      ofAnEarlierProcessOfThisNumber: `payrun-submission-${host}-${process.pid}-1700000000000-abcDEF`,
      ofAnotherProcess: `payrun-submission-${host}-${process.ppid}-1700000000000-abcDEF`,
      ofAnotherMachine: `payrun-submission-another-${dead}-1700000000000-abcDEF`,
      ofAnotherMachineLongAgo: `payrun-submission-another-${dead}-1700000000000-abcDE2`,
      ofAnotherProgram: `something-${dead}`,
    };
    for (const name of Object.values(folders)) await mkdir(join(spoolFolder, name, 'inside'), { recursive: true });
    const longAgo = new Date(Date.now() - 2 * 86_400_000);
    await utimes(join(spoolFolder, folders.ofAnotherMachineLongAgo), longAgo, longAgo);
    await anApp({ submissions: { spoolFolder } }).app.ready();
    expect((await readdir(spoolFolder)).sort()).toEqual(
      [folders.ofAnotherMachine, folders.ofAnotherProcess, folders.ofAnotherProgram].sort(),
    );
  });
});
