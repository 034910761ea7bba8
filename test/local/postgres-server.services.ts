import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../local/embedded/postgres-server.ts';
import { createSupervisor } from '../../local/embedded/supervisor.ts';
import { reports } from './temporary-folder.ts';
import { until } from '../helpers/until.ts';

const isRoot = process.getuid?.() === 0;

/** A temporary folder that other users may enter. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-test-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** One that is removed when the test ends. */
function enterableFolder(): string {
  const folder = makeFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const made = makeFolder();
beforeAll(async () => {
  const server = await startPostgres({ dataDir: join(made, 'postgres'), report: () => undefined });
  await server.stop();
});
afterAll(() => rmSync(made, { recursive: true, force: true }));

/** The folder of a server that was started and stopped before: a copy, because creating a database takes longest of all. */
function aDatabase(): string {
  const dataDir = join(enterableFolder(), 'postgres');
  execFileSync('cp', ['-a', join(made, 'postgres'), dataDir]);
  return dataDir;
}

async function aPostgres(dataDir: string, options: Partial<Parameters<typeof startPostgres>[0]> = {}) {
  const server = await startPostgres({ dataDir, report: () => undefined, ...options });
  onTestFinished(() => server.stop());
  return server;
}

async function ask(server: PostgresServer, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>({ text: sql })).rows.map((row) => Object.values(row)[0]);
  } finally {
    await client.end();
  }
}

test('committed data survives a kill -9, on the same port', async () => {
  const dataDir = aDatabase();
  const first = await aPostgres(dataDir);
  await ask(first, 'CREATE TABLE paid AS SELECT 7 AS id');
  process.kill(first.pid, 'SIGKILL');
  expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });
  const second = await aPostgres(dataDir);
  expect(second.port).toBe(first.port);
  expect(await ask(second, 'SELECT id FROM paid')).toEqual([7]);
});

test('it listens only on loopback, in UTF-8 and locale C, with a password that only its owner can read', async () => {
  const dataDir = join(enterableFolder(), 'postgres');
  const server = await aPostgres(dataDir);
  expect(await ask(server, 'SHOW listen_addresses')).toEqual(['127.0.0.1']);
  expect(await ask(server, 'SHOW server_encoding')).toEqual(['UTF8']);
  expect(await ask(server, 'SELECT datcollate FROM pg_database WHERE datname = current_database()')).toEqual(['C']);
  expect(statSync(join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600);
  const guessed = new URL(server.url);
  guessed.password = 'guessed';
  await expect(ask({ ...server, url: guessed.href }, 'SELECT 1')).rejects.toThrow('password authentication failed');
});

test('a server left running by a killed payrun is stopped, even without its pid file', async () => {
  const dataDir = aDatabase();
  const left = await aPostgres(dataDir);
  rmSync(join(dataDir, 'postgres.pid'));
  const { report, lines } = reports();
  await aPostgres(dataDir, { report });
  expect(lines).toEqual([expect.stringContaining(`still runs on ${join(dataDir, 'cluster')} (process ${left.pid})`)]);
  await left.exited;
});

test('a lock file with the process number of an unrelated process does not prevent the start', async () => {
  const dataDir = aDatabase();
  const first = await aPostgres(dataDir);
  process.kill(first.pid, 'SIGKILL');
  await first.exited;
  const lock = join(dataDir, 'cluster', 'postmaster.pid');
  // This very process, which lives and is no Postgres.
  writeFileSync(lock, `${process.pid}\n${join(dataDir, 'cluster')}\n1\n${first.port}\n\n127.0.0.1\n0 0\nready\n`);
  const second = await aPostgres(dataDir);
  expect(await ask(second, 'SELECT 1')).toEqual([1]);
});

test('if the port of the last start is taken, another is used', async () => {
  const dataDir = aDatabase();
  const first = await aPostgres(dataDir);
  await first.stop();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(first.port, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const second = await aPostgres(dataDir);
  expect(second.port).not.toBe(first.port);
  expect(await ask(second, 'SELECT 1')).toEqual([1]);
});

test('a crash under supervision is reported, and it restarts on the same port', async () => {
  const dataDir = aDatabase();
  const { report, lines } = reports();
  const started: PostgresServer[] = [];
  const supervisor = createSupervisor({ report, onGaveUp: () => undefined });
  const first = await supervisor.start<PostgresServer>({
    name: 'Postgres',
    start: async (previous) => {
      const port = previous === undefined ? {} : { port: previous.port };
      const server = await startPostgres({ dataDir, report: () => undefined, ...port });
      started.push(server);
      return server;
    },
    describe: ({ port }) => `on port ${port}, data is kept`,
  });
  onTestFinished(() => supervisor.stop());
  process.kill(first.pid, 'SIGKILL');
  await until(() => started.length === 2);
  expect(lines).toEqual([
    `Postgres stopped unexpectedly (signal SIGKILL); restarting it on port ${first.port}, data is kept`,
  ]);
  expect(started[1]?.port).toBe(first.port);
  expect(await ask(started[1]!, 'SELECT 1')).toEqual([1]);
});

test('a database of a newer Postgres is refused with what to do', async () => {
  const dataDir = enterableFolder();
  mkdirSync(join(dataDir, 'cluster'));
  writeFileSync(join(dataDir, 'cluster', 'PG_VERSION'), '99\n');
  await expect(aPostgres(dataDir)).rejects.toThrow(
    /is of Postgres 99, but this payrun has Postgres \d+\. Use the payrun/,
  );
});

test.runIf(isRoot)(
  'as root in a home that nobody else may enter, the database is kept where it can be reached',
  async () => {
    const home = join(enterableFolder(), 'home');
    const reachableRoot = join(enterableFolder(), 'lib');
    mkdirSync(home, { mode: 0o700 });
    const dataDir = join(home, 'postgres');
    const { report, lines } = reports();
    const first = await aPostgres(dataDir, { reachableRoot, report });
    await ask(first, 'CREATE TABLE paid AS SELECT 7 AS id');
    await first.stop();
    expect(lines[0]).toMatch(new RegExp(`cannot enter ${home}; the database is kept in ${reachableRoot}/database-`));
    expect(existsSync(join(dataDir, 'cluster'))).toBe(false);
    const second = await aPostgres(dataDir, { reachableRoot });
    expect(await ask(second, 'SELECT id FROM paid')).toEqual([7]);
  },
);
