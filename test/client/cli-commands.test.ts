import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ApplicationError } from '../../application/application-error.ts';
import { aRow, aRun } from '../server/application-records.ts';
import { detailOf } from '../server/fake-inbox.ts';
import { aCommandLine } from './cli-harness.ts';

const partlyPaid = aRun({ state: 'partially_completed', rows: { paid: 2, failed: 1 } });

const RUN = '018f2a00-0000-7000-8000-000000000001';
const CHANGE = '018f2a00-0000-7000-8000-0000000000c3';
const NOTHING_STANDS_OUT = { contentHash: 'a'.repeat(64), findings: [], unlistedCounts: {} };

describe('every command with --json', () => {
  it.each([
    [['runs'], { runs: [aRun()], next: null }],
    [['show', RUN], { ...detailOf(aRun()), review: NOTHING_STANDS_OUT }],
    [['show', RUN, '--rows'], { ...detailOf(aRun()), review: NOTHING_STANDS_OUT, payments: [aRow()] }],
    [['files', RUN], { runId: RUN, files: [] }],
    [
      ['results', '018f2a00-0000-7000-8000-000000000001'],
      { runId: '018f2a00-0000-7000-8000-000000000001', rows: [{ row_ref: 'INV-1', status: 'paid' }] },
    ],
    [
      ['exceptions', '018f2a00-0000-7000-8000-000000000001'],
      { runId: '018f2a00-0000-7000-8000-000000000001', rows: [{ row_ref: 'INV-1', status: 'paid' }] },
    ],
    [['tokens', 'list'], { tokens: [] }],
  ])('%j prints one document on stdout and nothing else', async (args, document) => {
    const { application, run } = await aCommandLine();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    application.rows = [aRow()];
    const { code, stdout, stderr } = await run([...args, '--json']);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(document);
    expect(stdout.trimEnd()).not.toContain('\n');
  });

  it.each([
    [
      ['approve', RUN, '--yes', '--content-hash', 'aaaaaaaa'],
      { ...aRun({ state: 'running' }), stepsTaken: 1, steps: 1 },
    ],
    [['reject', RUN, '--comment', 'twice'], aRun({ state: 'rejected' })],
    [['stop', RUN], { stopId: expect.any(String) as string, counts: { sent: 0, created: 0, notSent: 3, underWay: 0 } }],
    [['cancel', RUN], { cancelled: 2, counts: { sent: 0, created: 0, notSent: 3, underWay: 0 } }],
    [['withdraw', RUN], aRun()],
    [['changes', 'confirm', CHANGE], expect.objectContaining({ state: 'effective' }) as object],
    [
      ['users', 'add', 'eve', '--name', 'Eve', '--role', 'auditor'],
      expect.objectContaining({ change: null }) as object,
    ],
  ])('%j also says on stderr who acts', async (args, document) => {
    const { application, run } = await aCommandLine();
    application.runs.set(RUN, aRun());
    const { code, stdout, stderr } = await run([...args, '--json']);
    expect(stderr).toMatch(/^Acting as A \w+ \(\w+\), \w+\.\n/);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(document);
  });

  it('exceptions says on stderr how many rows may have been paid, and are not in the file', async () => {
    const { application, run } = await aCommandLine();
    application.runs.set(RUN, aRun({ rows: { paid: 2, unknown: 3 } }));
    const { code, stderr } = await run(['exceptions', RUN]);
    expect(stderr).toMatch(/^3 rows that may have been paid are not in it: resolve what is unknown first/);
    expect(code).toBe(0);
  });

  it('tokens create and revoke print one document, too', async () => {
    const { run } = await aCommandLine();
    const created = await run(['tokens', 'create', '--days', '7', '--json']);
    expect(JSON.parse(created.stdout)).toMatchObject({ token: 'secret-1' });
    const revoked = await run(['tokens', 'revoke', '018f2a00-0000-7000-8000-0000000000a1', '--json']);
    expect(JSON.parse(revoked.stdout)).toEqual({ tokenId: '018f2a00-0000-7000-8000-0000000000a1', revoked: true });
  });

  it('watch prints one document of the run per line', async () => {
    const { application, run } = await aCommandLine();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', partlyPaid);
    const { code, stdout } = await run(['watch', '018f2a00-0000-7000-8000-000000000001', '--json']);
    expect(code).toBe(3);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([partlyPaid]);
  });

  it('an error is printed as a document, too', async () => {
    const { run } = await aCommandLine();
    const { code, stdout, stderr } = await run(['show', '018f2a00-0000-7000-8000-000000000009', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'not_found', message: 'there is no run 018f2a00-0000-7000-8000-000000000009' },
    });
    expect(stderr).toContain('there is no run 018f2a00-0000-7000-8000-000000000009');
  });
});

describe('exit codes', () => {
  it.each([
    ['a role without the right', 4, { role: 'viewer' as const }],
    ['no token', 4, { role: null }],
    ['an unknown token', 4, { env: { PAYRUN_TOKEN: 'nobody' } }],
    ['a server that is not running', 5, { env: { PAYRUN_URL: 'http://127.0.0.1:1' } }],
    ['wrong variables', 2, { env: { PAYRUN_URL: 'not an address', PAYRUN_TOKEN: 'a b' } }],
  ])('%s is %i', async (_what, code, options) => {
    const { application, run } = await aCommandLine();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    expect((await run(['approve', '018f2a00-0000-7000-8000-000000000001', '--yes'], options)).code).toBe(code);
    expect(application.decisions).toEqual([]);
  });

  it('all wrong variables are named at once', async () => {
    const { run } = await aCommandLine();
    const { stderr } = await run(['runs'], { env: { PAYRUN_URL: 'not an address', PAYRUN_TOKEN: 'a b' } });
    expect(stderr).toContain('PAYRUN_URL');
    expect(stderr).toContain('PAYRUN_TOKEN');
    expect(stderr).not.toContain('a b');
  });

  it.each([
    ['not_allowed', 4],
    ['conflict', 2],
    ['unavailable', 5],
  ] as const)('a run that cannot be approved for the reason %s is %i', async (reason, code) => {
    const { application, run } = await aCommandLine();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    application.failures.set('approveRun', new ApplicationError(reason, 'the maker never approves their own run'));
    const outcome = await run(['approve', '018f2a00-0000-7000-8000-000000000001', '--yes']);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toContain('the maker never approves their own run');
  });

  it('an invalid run id is wrong input, not a bug', async () => {
    const { run } = await aCommandLine();
    const { code, stderr } = await run(['show', 'march']);
    expect(code).toBe(2);
    expect(stderr).toContain('not a run id');
  });

  it('a bug of the server is 1, with the request id', async () => {
    const { application, run } = await aCommandLine();
    application.failures.set('findRun', new Error('boom'));
    const { code, stderr } = await run(['show', '018f2a00-0000-7000-8000-000000000001']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/\(request [0-9a-f-]{36}\)/);
  });

  it('help is 0, and no command is 2', async () => {
    const { run } = await aCommandLine();
    expect((await run(['--help'])).code).toBe(0);
    expect((await run([])).code).toBe(2);
  });
});

describe('approve', () => {
  it('differs from reject, which needs a comment', async () => {
    const { application, run } = await aCommandLine();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    const { code, stderr } = await run(['reject', '018f2a00-0000-7000-8000-000000000001']);
    expect(code).toBe(2);
    expect(stderr).toContain('--comment');
    expect(application.decisions).toEqual([]);
  });
});

describe('results', () => {
  it('go to a pipe byte for byte, and to a terminal without control characters', async () => {
    const { application, run } = await aCommandLine();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    application.pieces = ['row_ref\tx\r\n', 'a\u001b[2Jb\r\n'];
    expect((await run(['results', '018f2a00-0000-7000-8000-000000000001'])).stdout).toBe(application.pieces.join(''));
    expect((await run(['results', '018f2a00-0000-7000-8000-000000000001'], { isTty: true })).stdout).toBe(
      'row_ref\tx\r\na\\u{1b}[2Jb\r\n',
    );
  });

  it('go to a file that only its owner can read', async () => {
    const { application, folder, run } = await aCommandLine();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    expect((await run(['results', '018f2a00-0000-7000-8000-000000000001', '-o', 'out.csv'])).code).toBe(0);
    expect(await readFile(join(folder, 'out.csv'), 'utf8')).toBe(application.pieces.join(''));
    expect((await stat(join(folder, 'out.csv'))).mode & 0o077).toBe(0);
  });

  it('that are interrupted create no file and leave the old file unchanged', async () => {
    const { application, folder, run } = await aCommandLine({ 'out.csv': 'old' });
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    application.breaksAfterPieces = 1;
    expect((await run(['results', '018f2a00-0000-7000-8000-000000000001', '-o', 'out.csv'])).code).toBe(5);
    expect(await readdir(folder)).toEqual(['out.csv']);
    expect(await readFile(join(folder, 'out.csv'), 'utf8')).toBe('old');
    expect((await run(['results', '018f2a00-0000-7000-8000-000000000001', '--json'])).code).toBe(5);
  });

  it('that cannot be written are wrong input', async () => {
    const { application, run } = await aCommandLine();
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    expect((await run(['results', '018f2a00-0000-7000-8000-000000000001', '-o', 'no/such/folder.csv'])).code).toBe(2);
  });
});

describe('tokens create', () => {
  it('asks for the scopes that are given, else for reading alone, and lists them', async () => {
    const { run, application } = await aCommandLine();
    const { stderr } = await run(['tokens', 'create', '--scope', 'submit', 'decide']);
    await run(['tokens', 'create']);
    expect(application.calls).toMatchObject([
      { asked: { scopes: ['submit', 'decide'] } },
      { asked: { scopes: ['read'] } },
    ]);
    expect(stderr).toContain('to submit, decide, valid until');
    expect((await run(['tokens', 'list'])).stdout).toMatch(/submit, decide/);
    expect((await run(['tokens', 'create', '--scope', 'everything'])).stderr).toContain('read, submit, decide');
  });

  it('prints only the token on stdout, so that it can be piped', async () => {
    const { run } = await aCommandLine();
    const { stdout, stderr } = await run(['tokens', 'create']);
    expect(stdout).toBe('secret-1\n');
    expect(stderr).toContain('018f2a00-0000-7000-8000-0000000000a1');
  });
});
