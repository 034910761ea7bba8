import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandLinesIn, ROOT, sectionOf } from '../docs/document-pages.ts';
import { isAlive, servicePids } from './demo-process.ts';

/** Runs the session of "Use it" in the README, as it is written there, against `payrun up` with the sandbox. */

const PAYRUN = join(ROOT, 'bin', 'payrun');
const PAYROLL_ROWS = 10;

const [up, ...session] = commandLinesIn(sectionOf('README.md', 'Use it'));

let folder: string;
let payrun: ChildProcess;

/** Nothing of an installation that the environment names. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => name === 'PAYRUN_TEMPORAL_CLI' || !/^(PAYRUN_|TEMPORAL_|DATABASE_)/.test(name),
  ),
);

function start(words: readonly string[]): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [PAYRUN, ...words], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (output += piece.toString()));
  return { child, output: () => output };
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('close', (code) => resolve(code)));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'payrun-readme-'));
  // When this runs as root, Postgres runs as another user, who needs access to the folder.
  chmodSync(folder, 0o755);
  symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
  const { child, output } = start(up?.words.slice(1) ?? []);
  payrun = child;
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', () => {
      if (output().includes('payrun is up on')) resolve();
    });
    child.once('close', () => reject(new Error(`payrun up ended:\n${output()}`)));
  });
});
afterAll(async () => {
  if (payrun.exitCode === null && payrun.kill('SIGINT')) await ended(payrun);
  rmSync(folder, { recursive: true, force: true });
});

/** There is no terminal here that could be asked. */
const YES = ['--yes'];

describe('the session in the README', () => {
  test('begins with payrun up, and shows submitting, approving, results and a stop', () => {
    expect(up?.text).toBe('payrun up');
    const commands = session.map(({ words }) => words[1]);
    for (const command of ['users', 'submit', 'show', 'approve', 'watch', 'results', 'stop']) {
      expect(commands).toContain(command);
    }
  });

  test('does what it says', async () => {
    let runId = '';
    for (const { words, text } of session) {
      const [program = '', ...args] = words;
      expect(program, text).toBe('payrun');
      const { child, output } = start([
        ...args.map((word) => (word === 'RUN' ? runId : word)),
        ...(args[0] === 'approve' ? YES : []),
      ]);
      expect(await ended(child), `${text}\n${output()}`).toBe(0);
      runId = /^Submitted as run (\S+?)\.?$/m.exec(output())?.[1] ?? runId;
      if (args[0] === 'stop') expect(output()).toMatch(/^Stopped\. /m);
    }
    const lines = (file: string): string[] => readFileSync(join(folder, file), 'utf8').trim().split('\n');
    const [header = '', ...rows] = lines('results.csv');
    const status = header.replace('\uFEFF', '').split(',').indexOf('status');
    expect(rows.map((row) => row.split(',')[status])).toEqual(Array.from({ length: PAYROLL_ROWS }, () => 'paid'));
    expect(lines('exceptions.csv').length).toBeGreaterThan(1);
  });

  test('leaves no process behind when it is interrupted', async () => {
    const pids = servicePids({ folder });
    expect(pids.length).toBeGreaterThanOrEqual(5);
    payrun.kill('SIGINT');
    await ended(payrun);
    expect(pids.filter(isAlive)).toEqual([]);
  });
});
