import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { findTemporal } from '../../local/embedded/find-temporal.ts';
import { identityOf } from '../../config/process-identity.ts';
import { payrunCacheDir } from '../../local/embedded/temporal-cache.ts';
import { until } from '../helpers/until.ts';

const PARENT = fileURLToPath(new URL('./embedded-parent.ts', import.meta.url));
const NOBODY = 65_534;
const RUNNING = z.object({ pids: z.array(z.number()), url: z.string() });

function aHome(mode = 0o755): string {
  const home = mkdtempSync(join(tmpdir(), 'payrun-test-'));
  chmodSync(home, mode);
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

async function temporalProgram(): Promise<string> {
  const found = await findTemporal({
    temporalCli: process.env['PAYRUN_TEMPORAL_CLI'],
    env: process.env,
    cacheDir: payrunCacheDir(process.env),
    report: (line) => console.error(line),
  });
  return found.kind === 'binary' ? found.binary : '';
}

/** Starts the small main process and waits until its services run. */
async function aParent(args: readonly string[], asUser?: { uid: number; gid: number }) {
  const parent = spawn(process.execPath, ['--import', 'tsx', PARENT, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, as a shell gives it, so that the test can send it what a Ctrl-C sends.
    detached: true,
    ...asUser,
    env: { PATH: process.env['PATH'], HOME: args[0], TMPDIR: args[0] },
  });
  const ended = new Promise<void>((resolve) => parent.once('close', () => resolve()));
  onTestFinished(async () => {
    parent.kill('SIGTERM');
    await ended;
  });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: parent.stdout }).once('line', resolve);
    void ended.then(() => reject(new Error('the main process ended before its services ran')));
  });
  return { parent, ended, pids: RUNNING.parse(JSON.parse(line)).pids };
}

async function allGone(pids: readonly number[]): Promise<void> {
  await until(() => pids.every((pid) => identityOf(pid) === undefined));
}

const pidOf = (parent: ChildProcess): number => parent.pid ?? 0;

test('no process is left running after a kill -9 of the main process, and the next start works', async () => {
  const home = aHome();
  const first = await aParent([home, await temporalProgram()]);
  expect(first.pids.map((pid) => identityOf(pid) !== undefined)).toEqual([true, true, true]);
  process.kill(pidOf(first.parent), 'SIGKILL');
  // At once, while the watchdogs still stop what the first had started.
  const second = await aParent([home, await temporalProgram()]);
  await allGone(first.pids);
  expect(second.pids.map((pid) => identityOf(pid) !== undefined)).toEqual([true, true, true]);
});

test.runIf(process.platform === 'linux')('nothing is left behind when the watchdogs are killed as well', async () => {
  const { parent, pids } = await aParent([aHome(), await temporalProgram()]);
  const watchdogs = pids.map((pid) => Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]));
  for (const pid of [pidOf(parent), ...watchdogs]) process.kill(pid, 'SIGKILL');
  await allGone(pids);
});

test.each(['SIGINT', 'SIGTERM'] as const)('no process is left running after %s to the whole group', async (signal) => {
  const { parent, ended, pids } = await aParent([aHome(), await temporalProgram()]);
  process.kill(-pidOf(parent), signal);
  await ended;
  expect(parent.exitCode).toBe(0);
  expect(pids.filter((pid) => identityOf(pid) !== undefined)).toEqual([]);
});

test('a second signal ends the main process at once, and no process is left running', async () => {
  const { parent, ended, pids } = await aParent([aHome(), '']);
  process.kill(pidOf(parent), 'SIGTERM');
  process.kill(pidOf(parent), 'SIGINT');
  await ended;
  await allGone(pids);
});

test.runIf(process.getuid?.() === 0)('a plain user can run everything as well', async () => {
  const home = aHome(0o700);
  chownSync(home, NOBODY, NOBODY);
  const { parent, ended, pids } = await aParent([home, ''], { uid: NOBODY, gid: NOBODY });
  process.kill(pidOf(parent), 'SIGTERM');
  await ended;
  expect(parent.exitCode).toBe(0);
  expect(pids.filter((pid) => identityOf(pid) !== undefined)).toEqual([]);
});
