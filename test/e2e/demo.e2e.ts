import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../../local/demo/demo-script.ts';

const PAYRUN = join(import.meta.dirname, '..', '..', 'bin', 'payrun');

const folders: string[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface RunningDemo {
  folder: string;
  child: ChildProcess;
  output: () => string;
  ended: Promise<{ code: number | null; stdout: string }>;
}

/** The demo as a person starts it, in an empty folder. */
function startDemo(): RunningDemo {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-demo-'));
  chmodSync(folder, 0o755);
  folders.push(folder);
  const child = spawn(process.execPath, [PAYRUN, 'demo', '--json'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  const ended = new Promise<{ code: number | null; stdout: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout }));
  });
  return { folder, child, output: () => stdout + stderr, ended };
}

/** The processes in the pid files of the demo. */
function servicePids(folder: string): number[] {
  return readdirSync(join(folder, '.payrun'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.pid') && !path.endsWith('postmaster.pid'))
    .map((path) => JSON.parse(readFileSync(join(folder, '.payrun', path), 'utf8')) as { child: { pid: number } })
    .map(({ child }) => child.pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('payrun demo', () => {
  test('ends as expected, within the limit, and every row is created and funded once', async () => {
    const demo = startDemo();
    await until(() => demo.output().includes('running:'));
    const pids = servicePids(demo.folder);
    const { code, stdout } = await demo.ended;
    expect(code, demo.output()).toBe(0);
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(1);
    const { rows, state, ledger } = JSON.parse(stdout) as {
      rows: Record<string, number>;
      state: string;
      ledger: Ledger;
    };
    expect(rows).toEqual({ paid: 44, rejected: 2, failed: 2 });
    expect(state).toBe('partially_completed');
    expect(ledger).toMatchObject({ createdMoreThanOnce: [], fundedMoreThanOnce: [], invariantHolds: true });
    expect(ledger).toMatchObject({ rejectedByLimit: 0, credentialLeaks: 0 });
    expect(ledger.mostInAnySecond).toBeLessThanOrEqual(5);
    expect(ledger.requests.byOperation).toMatchObject({ 'simple-payment-create': 48, 'simple-payment-fund': 48 });
    const apart = [
      'beneficiary-create',
      'simple-payment-get-upload-url',
      'simple-payment-upload-file',
      'auth-authenticate',
    ];
    const counted = Object.entries(ledger.requests.byOperation).filter(([operation]) => !apart.includes(operation));
    expect(counted.reduce((sum, [, requests]) => sum + requests, 0) / 48).toBeLessThanOrEqual(3.3);
    expect(readFileSync(join(demo.folder, 'results.csv'), 'utf8').trim().split('\n')).toHaveLength(49);
    expect(readFileSync(join(demo.folder, 'exceptions.csv'), 'utf8').trim().split('\n')).toHaveLength(5);
    expect(pids.length).toBeGreaterThanOrEqual(5);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('leaves no process behind when it is interrupted', async () => {
    const demo = startDemo();
    await until(() => demo.output().includes('running:'));
    const pids = servicePids(demo.folder);
    demo.child.kill('SIGINT');
    const { code } = await demo.ended;
    expect(code).toBe(130);
    expect(pids.filter(isAlive)).toEqual([]);
  });
});
