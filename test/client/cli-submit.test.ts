import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { profileSchema } from '../../domain/import-profiles/profile.ts';
import type { RunSummary } from '../../api/runs/run.ts';
import { aProblem, aRun } from '../server/application-records.ts';
import { aCommandLine } from './cli-harness.ts';

const PROFILE = {
  name: 'Payroll',
  headers: ['Betrag'],
  columns: { amount: { from: ['Betrag'] }, sell_currency: { constant: 'SGD' } },
};
const FILE = { 'payroll.csv': 'row_ref,amount\r\nINV-1,10.00\r\n' };
const paid = aRun({ state: 'completed', rows: { paid: 3 } });
const partlyPaid = aRun({ state: 'partially_completed', rows: { paid: 2, failed: 1 } });

/** The address of what passes requests on to a server, and loses the answers to submissions. */
async function losingAnswersTo(url: string): Promise<string> {
  const proxy = createServer((request, response) => {
    const isSubmission = request.method === 'POST' && request.url === '/api/v1/runs';
    const passed = httpRequest(
      `${url}${request.url ?? '/'}`,
      { method: request.method, headers: request.headers },
      (answer) => {
        if (isSubmission) {
          answer.resume().once('end', () => request.socket.destroy());
          return;
        }
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(passed);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void proxy.close());
  await once(proxy, 'listening');
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

describe('submit', () => {
  it('sends the file with its profile and supporting files', async () => {
    const { application, folder, run } = await aCommandLine({
      ...FILE,
      'profile.json': JSON.stringify(PROFILE),
    });
    await mkdir(join(folder, 'papers', 'older'), { recursive: true });
    await writeFile(join(folder, 'papers', 'a.PDF'), 'pdf');
    const options = ['--profile', 'profile.json', '--files', 'papers', '--account', 'asia'];
    application.runs.set('018f2a00-0000-7000-8000-000000000001', aRun());
    const { code, stdout } = await run(['submit', 'payroll.csv', ...options, '--on-invalid', 'skip']);
    expect(code).toBe(0);
    expect(stdout).toContain('Someone else approves it: payrun approve 018f2a00-0000-7000-8000-000000000001');
    expect(stdout).toContain('018f2a00-0000-7000-8000-000000000001');
    const submission = application.submissions[0]?.submission;
    expect(submission).toMatchObject({
      fileName: 'payroll.csv',
      profile: profileSchema.parse(PROFILE),
      account: 'asia',
      onInvalid: 'skip',
    });
    expect(submission?.files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
      ['a.PDF', 'pdf'],
    ]);
  });

  it('prints all problems of a file in the order of its lines, and exits with 2', async () => {
    const { application, run } = await aCommandLine(FILE);
    const problems = [
      aProblem({ line: 12 }),
      aProblem({ line: 3, column: null, value: null, problem: 'has 4 cells', fix: 'write 5' }),
      aProblem({ line: 0, column: 'x', value: null, problem: 'is no column', fix: 'leave it out' }),
    ];
    application.outcome = { kind: 'refused', problems, problemCount: 3 };
    const { code, stdout, stderr } = await run(['submit', 'payroll.csv']);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr.split('\n').slice(1, 4)).toEqual([
      'column x: is no column: leave it out',
      'line 3: has 4 cells: write 5',
      'line 12, column amount: "1,000.00" has a thousands separator: write 1000.00',
    ]);
    const json = await run(['submit', 'payroll.csv', '--json']);
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'file_refused', details: { problems } } });
  });

  it('names the key by which it is the same run where no answer came', async () => {
    const { application, run, url } = await aCommandLine(FILE);
    const { code, stderr } = await run(['submit', 'payroll.csv'], { env: { PAYRUN_URL: await losingAnswersTo(url) } });
    expect(code).toBe(5);
    const [, key = ''] = /--idempotency-key ([-0-9a-f]{36})$/m.exec(stderr) ?? [];
    await run(['submit', 'payroll.csv', '--idempotency-key', key, '--no-wait']);
    expect(application.submissions.map(({ submission }) => submission.idempotencyKey)).toEqual([key, key]);
  });

  it('sends a file that is not in memory, and says where it cannot be read', async () => {
    const { folder, run } = await aCommandLine(FILE);
    await mkdir(join(folder, 'papers'));
    expect((await run(['submit', 'papers'])).stderr).toContain('cannot read papers: it is a folder');
    expect((await run(['submit', 'nowhere.csv'])).stderr).toContain('cannot read nowhere.csv: there is no such file');
  });

  it('says once what is wrong with many rows, by the cell of the first of them', async () => {
    const { application, run } = await aCommandLine(FILE);
    const problems = Array.from({ length: 142 }, (_, index) => [
      aProblem({ line: index + 2, value: `${index}` }),
      aProblem({
        line: index + 2,
        column: 'pay_on',
        code: 'date_form',
        value: '1',
        problem: 'is no day',
        fix: 'write one',
      }),
    ]).flat();
    application.outcome = { kind: 'refused', problems, problemCount: problems.length };
    const { stderr } = await run(['submit', 'payroll.csv']);
    expect(stderr.split('\n').slice(1, 3)).toEqual([
      'lines 2, 3, 4, 5, 6, 7 and 136 more, column amount: "0" has a thousands separator: write 1000.00',
      'lines 2, 3, 4, 5, 6, 7 and 136 more, column pay_on: "1" is no day: write one',
    ]);
  });

  it('says how many problems are not listed', async () => {
    const { application, run } = await aCommandLine(FILE);
    application.outcome = { kind: 'refused', problems: [aProblem(), aProblem({ line: 3 })], problemCount: 4_323 };
    const { stderr } = await run(['submit', 'payroll.csv']);
    expect(stderr.split('\n')[2]).toBe('… and 4,321 more problems');
    const { stdout } = await run(['submit', 'payroll.csv', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ error: { details: { problemCount: 4_323 } } });
  });

  it.each([
    [['submit', 'nowhere.csv'], 'nowhere.csv: there is no such file'],
    [['submit', 'payroll.csv', '--files', 'nowhere'], 'nowhere'],
    [['submit', 'payroll.csv', '--profile', 'numbers.json'], 'numbers.json, columns.amount'],
    [['submit', 'payroll.csv', '--profile', 'three.csv'], 'three.csv is not JSON'],
    [['submit', 'payroll.csv', '--on-invalid', 'ignore'], 'reject, skip'],
    [['submit', 'payroll.csv', '--dry-run', '--wait'], 'choose one of'],
    [['submit', 'payroll.csv', '--check-only', '--wait'], 'choose one of'],
    [['submit'], 'file'],
    [['sumbit', 'payroll.csv'], 'submit'],
  ])('%j is wrong input: nothing is submitted', async (args, said) => {
    const { application, run } = await aCommandLine({
      ...FILE,
      'numbers.json': JSON.stringify({ ...PROFILE, columns: { amount: { constant: 10 } } }),
      'three.csv': 'sell_currency,SGD\n',
    });
    const { code, stdout, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
    expect(stdout).toBe('');
    expect(application.submissions).toEqual([]);
  });

  it('--check-only says how to send the run, and the server that nobody decides on it before', async () => {
    const { application, run } = await aCommandLine(FILE);
    const checked = aRun({ state: 'checked' });
    application.runs.set(checked.runId, checked);
    const { code, stdout } = await run(['submit', 'payroll.csv', '--check-only']);
    expect(code).toBe(0);
    expect(application.submissions[0]?.submission.checkOnly).toBe(true);
    expect(stdout).toContain(`Checked only. To send it for approval: payrun send ${checked.runId}`);
    expect(application.calls.filter(({ method }) => method === 'withdrawRun')).toEqual([]);
  });

  it('--dry-run shows what the run would pay, and withdraws it', async () => {
    const { application, run } = await aCommandLine(FILE);
    const checked = aRun({ state: 'checked' });
    application.runs.set(checked.runId, checked);
    const { code, stdout } = await run(['submit', 'payroll.csv', '--dry-run']);
    expect([code, application.submissions[0]?.submission.checkOnly]).toEqual([0, true]);
    expect(stdout).toContain('To be paid');
    expect(stdout).toContain('Withdrawn: this was a dry run');
    expect(application.calls.filter(({ method }) => method === 'withdrawRun')).toMatchObject([
      { asked: { runId: checked.runId } },
    ]);
    const json = await run(['submit', 'payroll.csv', '--dry-run', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ runId: checked.runId, run: { proposal: {} }, review: {} });
  });

  it('--dry-run exits as a submission does when nothing can be paid', async () => {
    const { application, run } = await aCommandLine(FILE);
    application.runs.set(aRun().runId, aRun({ state: 'failed', rows: { duplicate_suspect: 3 } }));
    expect((await run(['submit', 'payroll.csv', '--dry-run'])).code).toBe(3);
    expect(application.calls.filter(({ method }) => method === 'withdrawRun')).toEqual([]);
  });

  it('--wait exits with 0 only if every row is paid', async () => {
    const { application, run } = await aCommandLine(FILE);
    application.runs.set('018f2a00-0000-7000-8000-000000000001', paid);
    const { code, stdout } = await run(['submit', 'payroll.csv', '--wait']);
    expect(code).toBe(0);
    expect(stdout).toContain('completed: paid 3');
    application.runs.set('018f2a00-0000-7000-8000-000000000001', partlyPaid);
    const partly = await run(['submit', 'payroll.csv', '--wait']);
    expect(partly.code).toBe(3);
    expect(partly.stderr).toContain('1 row not paid');
  });

  it('exits with 3 when rows were skipped', async () => {
    const { application, run } = await aCommandLine(FILE);
    application.runs.set('018f2a00-0000-7000-8000-000000000001', paid);
    application.outcome = {
      kind: 'accepted',
      runId: '018f2a00-0000-7000-8000-000000000001',
      skipped: [aProblem()],
      skippedCount: 4_322,
      warnings: [aProblem()],
      warningCount: 2,
    };
    const { code, stderr } = await run(['submit', 'payroll.csv', '--wait', '--on-invalid', 'skip']);
    expect(code).toBe(3);
    expect(stderr).toContain('line 2, column amount');
    expect(stderr).toContain('… and 4,321 more problems');
    expect(stderr).toContain('… and 1 more warning\n');
    expect(stderr).toContain('4,322 problems in skipped rows');
  });

  it.each([
    [paid, 0],
    [partlyPaid, 3],
  ])('with --wait --json prints one document and nothing else', async (ended: RunSummary, code) => {
    const { application, run } = await aCommandLine(FILE);
    application.runs.set('018f2a00-0000-7000-8000-000000000001', ended);
    const outcome = await run(['submit', 'payroll.csv', '--wait', '--json']);
    expect(outcome.code).toBe(code);
    expect(JSON.parse(outcome.stdout)).toEqual({
      runId: '018f2a00-0000-7000-8000-000000000001',
      skipped: [],
      skippedCount: 0,
      warnings: [],
      warningCount: 0,
      run: ended,
    });
    expect(outcome.stderr).toContain('018f2a00-0000-7000-8000-000000000001');
  });
});
