import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { readPage } from '../docs/document-pages.ts';
import { createTestDatabase } from '../helpers/test-database.ts';
import { until } from '../helpers/until.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const INSTALL = 'npm ci --omit=dev --ignore-scripts';

/** What is copied to a machine: the sources, and `dist` as it was built elsewhere. */
function aCopy(): string {
  const folder = join(temporaryFolder(), 'payrun');
  const files = execFileSync('git', ['ls-files', '--', '.', ':!test', ':!docs', ':!bench'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const file of files.trim().split('\n')) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(folder, file));
  }
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
  return folder;
}

function start(
  folder: string,
  args: string[],
  env: Record<string, string>,
): { said: () => string; child: ChildProcess } {
  const child = spawn(join(folder, 'bin', 'payrun'), args, {
    ...{ cwd: folder, env: { PATH: process.env['PATH'] ?? '', HOME: folder, PAYRUN_CONFIG: 'none', ...env } },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (text += piece.toString()));
  return { said: () => text, child };
}

test('starts with production dependencies alone, installed without their scripts', { timeout: 600_000 }, async () => {
  expect(readPage('docs/going-live.md')).toContain(INSTALL);
  const folder = aCopy();
  const [npm = '', ...args] = INSTALL.split(' ');
  execFileSync(npm, [...args, '--no-audit', '--no-fund'], { cwd: folder, stdio: 'pipe' });
  const { devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const installed = Object.keys(devDependencies).filter((name) => existsSync(join(folder, 'node_modules', name)));
  // Types that packages of production name as their own dependencies.
  expect(installed.filter((name) => !name.startsWith('@types/'))).toEqual([]);

  const testDatabase = await createTestDatabase({ provider: 'none' });
  onTestFinished(() => testDatabase.drop());
  const services = { TEMPORAL_ADDRESS: inject('temporalAddress') };
  const home = join(folder, 'home');
  const server = start(folder, ['server'], {
    ...{ ...services, DATABASE_URL: testDatabase.serverUrl, PAYRUN_HTTP_PORT: '18731', PAYRUN_HOME: home },
  });
  const provider = { PAYRUN_API_URL: 'http://127.0.0.1:1', PAYRUN_API_KEY: 'a', PAYRUN_ACCESS_KEY_ID: 'b' };
  const worker = start(folder, ['worker'], {
    ...{
      ...services,
      ...provider,
      DATABASE_URL: testDatabase.workerUrl,
      PAYRUN_SECRET_ACCESS_KEY: 'c',
      PAYRUN_HOME: home,
    },
  });
  const isDown = () => [server, worker].some(({ child }) => child.exitCode !== null);
  const isReady = ({ said }: typeof server) => said().includes('is ready');
  await until(() => Promise.resolve(isDown() || (isReady(server) && isReady(worker))));
  expect([server.said(), worker.said()]).toEqual([
    expect.stringContaining('payrun server is ready'),
    expect.stringContaining('payrun worker is ready'),
  ]);
  const page = await fetch('http://127.0.0.1:18731/');
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script')]);
});
