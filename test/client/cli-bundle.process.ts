import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasCommand } from '../../client/cli/command-line.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** A copy of only the command line: without the bundle no command runs there, because the services are missing. */
let copy: string;

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'payrun-copy-'));
  for (const part of [
    'api',
    'bin',
    'client',
    'config',
    'domain',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ]) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true, preserveTimestamps: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  await run(process.execPath, [join(copy, 'bin/build.mjs')]);
});
afterAll(() => rmSync(copy, { recursive: true }));

async function isRunByBundle(...args: string[]): Promise<boolean> {
  return run(process.execPath, [join(copy, 'bin/payrun'), ...args, '--help']).then(
    ({ stdout }) => stdout.startsWith('Usage: payrun'),
    (error: unknown) => {
      expect(String(error)).toContain('operations/service-commands.ts');
      return false;
    },
  );
}

test('runs the commands that call a server, and no others', async () => {
  const [stop, list, examples, up] = await Promise.all([
    isRunByBundle('--as', 'chris', 'stop'),
    isRunByBundle('users', 'list'),
    isRunByBundle('users', 'examples'),
    isRunByBundle('up'),
  ]);
  expect({ stop, list, examples, up }).toEqual({ stop: true, list: true, examples: false, up: false });
});

test('is not used if a source is newer', async () => {
  expect(await isRunByBundle('stop')).toBe(true);
  const later = Date.now() / 1_000 + 60;
  utimesSync(join(copy, 'client/cli/wording.ts'), later, later);
  expect(await isRunByBundle('stop')).toBe(false);
});

test.each([
  [['stop', 'RUN'], true],
  [['--as', 'stop', 'show'], true],
  [['--as=chris', 'users', 'add', 'x'], true],
  [['users'], false],
  [['users', 'examples'], false],
  [['up', 'stop'], false],
  [['help', 'stop'], false],
  [[], false],
])('%j leads to a command: %s', (args, isThere) => {
  const program = new Command('payrun').option('--as <login>');
  for (const name of ['stop', 'show']) program.command(name).argument('[run]');
  program.command('users').command('add');
  expect(hasCommand(program, args)).toBe(isThere);
});
