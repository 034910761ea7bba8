import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../../local/embedded/postgres-server.ts';
import { createPayrunClient, type PayrunClient } from '../../client/sdk/index.ts';
import { type ServiceProcess, spawnService } from '../../local/embedded/service-process.ts';
import type { Ledger } from '../../local/demo/demo-script.ts';
import { readSandboxLedger } from '../../local/demo/demo-files.ts';
import { readSignIns } from '../../config/sign-ins.ts';
import { csvOf, someRows } from '../../fixtures/payment-rows.ts';

/**
 * Upgrades as a user does: starts an earlier version from its own source, approves a run and pays it in part, stops
 * everything, and starts this version in the same data folder. Exit code 0 when every row was paid exactly once and a
 * run that was not approved yet still waits for approval.
 *
 *     npm run test:upgrade [-- COMMIT]
 *
 * Without a commit: from both earlier versions, one after the other. With `record`, it stops in the middle of the first
 * run and writes the database to record-before.json, for the test in this folder.
 */

/** The last version that kept approvals in the workflow only, and in which administrators made all tokens. */
const APPROVED_BY_WORKFLOW = 'c719fe5';
/** The last version that did not record the kind of an answer. */
const WITHOUT_ANSWERS = '9465e99';
const ROOT = resolve(import.meta.dirname, '../..');
const WITHIN_MS = 180_000;

const isRecording = process.argv[2] === 'record';
const ROWS = isRecording ? 20 : 60;
const SENT_BEFORE = isRecording ? 3 : 15;
const commit = isRecording ? APPROVED_BY_WORKFLOW : (process.argv[2] ?? APPROVED_BY_WORKFLOW);
const folder = mkdtempSync(join(tmpdir(), 'payrun-upgrade-'));
chmodSync(folder, 0o755);
const [before, home] = [join(folder, 'before'), join(folder, 'home')];
const started: ServiceProcess[] = [];
try {
  execFileSync('git', ['worktree', 'add', '--detach', before, commit], { cwd: ROOT, stdio: 'pipe' });
  symlinkSync(join(ROOT, 'node_modules'), join(before, 'node_modules'));
  const interrupted = await payInPart();
  if (isRecording) await record();
  else process.exitCode = (await continueAfterUpgrade(interrupted)) ? 0 : 1;
} finally {
  await started.pop()?.stop();
  if (existsSync(before)) execFileSync('git', ['worktree', 'remove', '--force', before], { cwd: ROOT, stdio: 'pipe' });
  rmSync(folder, { recursive: true, force: true });
}

if (process.argv[2] === undefined && process.exitCode === 0) {
  const args = ['--import', 'tsx', import.meta.filename, WITHOUT_ANSWERS];
  execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
}

interface InterruptedRuns {
  paying: string;
  waiting: string;
  makerToken: string;
  checkerToken: string;
}

/** Runs the earlier version, and stops it while it pays one run and another waits for approval. */
async function payInPart(): Promise<InterruptedRuns> {
  const old = await start(before, 'before');
  const { makerToken, checkerToken } = await formerTokens(old);
  const paying = await formerSubmission(old, makerToken, ROWS, 'P');
  const waiting = await formerSubmission(old, makerToken, 3, 'W');
  const runOf = (runId: string): Promise<FormerRun> => formerRun(old, makerToken, runId);
  await until('both runs are proposed', async () => (await runOf(waiting)).state === 'in_approval');
  await formerApproval(old, checkerToken, await runOf(paying));
  await until(`${SENT_BEFORE} rows are sent`, async () => {
    const { paid = 0, processing = 0 } = (await runOf(paying)).rows;
    return paid + processing >= SENT_BEFORE;
  });
  const { rows } = await runOf(paying);
  await started.pop()?.stop();
  say(`stopped ${commit} in the middle of a run: ${JSON.stringify(rows)}`);
  return { paying, waiting, makerToken, checkerToken };
}

async function continueAfterUpgrade({ paying, waiting, makerToken, checkerToken }: InterruptedRuns): Promise<boolean> {
  const url = await start(ROOT, 'after');
  const [after, checker] = [makerToken, checkerToken].map((token) => createPayrunClient({ url, token }));
  if (after === undefined || checker === undefined) throw new Error('two clients are needed');
  await until('the run has ended', async () =>
    ['completed', 'partially_completed', 'failed'].includes(await stateOf(after, paying)),
  );
  const run = await after.getRun(paying);
  const undecided = await after.getRun(waiting);
  await checker.approveRun({ runId: waiting, contentHash: undecided.proposal?.contentHash ?? '' });
  await until('the other run has ended', async () => (await stateOf(after, waiting)) === 'completed');
  const { sandboxUrl } = readServices().addresses;
  const ledger = await readSandboxLedger<Ledger & { createdMoreThanOnce: string[]; fundedMoreThanOnce: string[] }>(
    sandboxUrl,
  );
  say(JSON.stringify({ run: run.rows, undecidedBefore: undecided.state, ledger }));
  const isPaidOnce =
    ledger.createdMoreThanOnce.length + ledger.fundedMoreThanOnce.length === 0 && ledger.invariantHolds;
  const isWhole = run.rows.paid === ROWS && undecided.state === 'in_approval';
  say(isPaidOnce && isWhole ? 'every row was paid exactly once' : 'FAILED: not every row was paid exactly once');
  return isPaidOnce && isWhole;
}

async function start(source: string, name: string): Promise<string> {
  const service = await spawnService({
    name,
    command: process.execPath,
    args: [join(source, 'bin', 'payrun'), 'up', '--json'],
    env: {
      ...process.env,
      PAYRUN_HOME: home,
      PAYRUN_REQUESTS_PER_SECOND: isRecording ? '6' : '20',
      PAYRUN_LOG_LEVEL: 'warn',
    },
    logFile: join(folder, `${name}.log`),
    readyWhen: (line) => line.includes('"serverUrl"'),
    report: say,
  });
  started.push(service);
  const { serverUrl } = readServices().addresses;
  say(`${name}: ${serverUrl}`);
  return serverUrl;
}

/** Writes every table as JSON, without the sandbox's tokens. */
async function record(): Promise<void> {
  const postgres = await startPostgres({ dataDir: join(home, 'postgres'), report: say });
  const connection = new pg.Client({ connectionString: postgres.url });
  await connection.connect();
  const { rows: tables } = await connection.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'
       and table_name not in ('provider_tokens', 'schema_migrations', 'reference_data') order by 1`,
  );
  const content: Record<string, unknown[]> = {};
  for (const { name } of tables) {
    const { rows } = await connection.query<{ row: unknown }>(`select to_jsonb(${name}) as row from ${name}`);
    content[name] = rows.map(({ row }) => row);
  }
  await connection.end();
  await postgres.stop();
  const lines = Object.entries(content).map(
    ([name, rows]) => `"${name}": [\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`,
  );
  writeFileSync(join(import.meta.dirname, 'record-before.json'), `{\n${lines.join(',\n')}\n}\n`);
}

function readServices(): { addresses: { serverUrl: string; sandboxUrl: string } } {
  return JSON.parse(readFileSync(join(home, 'services.json'), 'utf8')) as never;
}

/** The fields of a run that this test reads from the earlier version. */
interface FormerRun {
  runId: string;
  state: string;
  rows: Partial<Record<string, number>>;
  proposal: { contentHash: string } | null;
}

async function formerRun(url: string, token: string, runId: string): Promise<FormerRun> {
  const answer = await fetch(`${url}/api/v1/runs/${runId}`, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`the earlier version answered ${answer.status}`);
  return (await answer.json()) as FormerRun;
}

/** Gets tokens from the earlier version: from its administrator, or with its example users. */
async function formerTokens(url: string): Promise<{ makerToken: string; checkerToken: string }> {
  if (commit === APPROVED_BY_WORKFLOW) {
    return { makerToken: await madeToken(url, 'maker'), checkerToken: await madeToken(url, 'checker') };
  }
  execFileSync(process.execPath, [join(before, 'bin', 'payrun'), 'users', 'examples', '--json'], {
    env: { ...process.env, PAYRUN_HOME: home },
    stdio: 'pipe',
  });
  const tokenOf = (login: string): string => readSignIns(home).find((user) => user.login === login)?.token ?? '';
  return { makerToken: tokenOf('mia'), checkerToken: tokenOf('chris') };
}

async function madeToken(url: string, role: string): Promise<string> {
  const token = readFileSync(join(home, 'admin-token'), 'utf8').trim();
  const answer = await fetch(`${url}/api/v1/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `A ${role}`, role, label: 'upgrade' }),
  });
  return ((await answer.json()) as { token: string }).token;
}

async function formerApproval(url: string, token: string, { runId, proposal }: FormerRun): Promise<void> {
  const isBound = commit !== APPROVED_BY_WORKFLOW;
  const answer = await fetch(`${url}/api/v1/runs/${runId}/approve`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...(isBound ? { 'content-type': 'application/json' } : {}) },
    ...(isBound ? { body: JSON.stringify({ contentHash: proposal?.contentHash }) } : {}),
  });
  if (!answer.ok) throw new Error(`the earlier version answered ${answer.status}`);
}

async function formerSubmission(url: string, token: string, rows: number, prefix: string): Promise<string> {
  const csv = csvOf(
    someRows(rows).map((row, index) => ({
      ...row,
      row_ref: `${prefix}-${index}`,
      amount: `${200 + index}.${prefix === 'P' ? '00' : '50'}`,
    })),
  );
  const body = new FormData();
  body.set('csv', new Blob([csv], { type: 'text/csv' }), 'upgrade.csv');
  const answer = await fetch(`${url}/api/v1/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  });
  if (!answer.ok) throw new Error(`the earlier version answered ${answer.status}`);
  return ((await answer.json()) as { runId: string }).runId;
}

async function stateOf(client: PayrunClient, runId: string): Promise<string> {
  return (await client.getRun(runId)).state;
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + WITHIN_MS;
  while (!(await isTrue())) {
    if (performance.now() > deadlineMs) throw new Error(`not within ${WITHIN_MS / 1000} s: ${what}`);
    await sleep(200);
  }
}

function say(line: string): void {
  console.log(line);
}
