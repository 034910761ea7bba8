import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { waitForPort, rememberedPort } from './free-port.ts';
import { type GuardedProcess, type ProcessExit, spawnGuarded } from './guarded-process.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { DATABASE_ROLE, ensureCluster } from './postgres-cluster.ts';
import { ensureRuntimeLogins } from './postgres-roles.ts';
import { clusterFolder, knownClusterFolder } from './postgres-folder.ts';
import { postgresRunAs, type RunAs } from './postgres-user.ts';
import { stopLeftoverPostmaster } from './postmaster.ts';
import { waitForLine, waitUntilReady } from './service-process.ts';

const HOST = '127.0.0.1';
const DATABASE = 'payrun';
const STOP_GRACE_MS = 15_000;
/** Long, because after a crash the server first replays its log. */
const READY_TIMEOUT_MS = 120_000;
const PORT_WAIT_MS = 10_000;
const ATTEMPTS = 20;
const PAUSE_MS = 250;

export interface PostgresOptions {
  /** Holds the cluster, its password, log and port. */
  dataDir: string;
  /** Exactly this port; default: that of the last start if it is free, else a free one. */
  port?: number;
  /** Holds the cluster and programs if the user that replaces root cannot reach them elsewhere; default /var/lib/payrun. */
  reachableRoot?: string;
  /** More settings of the server, `name=value`, as a test wants them. */
  settings?: readonly string[];
  report: (line: string) => void;
}

export interface PostgresServer {
  /** postgres://… of the role that owns everything, with its password: for migrations only, and as secret as the data. */
  url: string;
  /** The same for the server, which cannot pay, and for the worker, which cannot approve. */
  serverUrl: string;
  workerUrl: string;
  port: number;
  pid: number;
  exited: Promise<ProcessExit>;
  stop: () => Promise<void>;
  kill: () => void;
}

/**
 * Starts the embedded Postgres on loopback with the database `payrun`, creating the cluster at the first start. A
 * server left running by a killed payrun is stopped; committed data survives a kill.
 *
 * As root, the server runs as the system user `postgres` (created if missing), who then owns the cluster; the rest of
 * `dataDir` stays root's. If this user cannot enter `dataDir`, the cluster is kept below `reachableRoot`.
 *
 * Errors, each with what to do: a cluster of another major version or user, a requested port that stays in use, a server
 * that ends while starting (with the last lines of its log).
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { report } = options;
  // Postgres starts in the root folder, so the path must be absolute.
  const dataDir = resolve(options.dataDir);
  const reachableRoot = options.reachableRoot ?? '/var/lib/payrun';
  const runAs = postgresRunAs(join(knownClusterFolder(dataDir), 'cluster'), report);
  const folder = clusterFolder({ dataDir, runAs, reachableRoot, report });
  const binaries = await findPostgresBinaries({ runAs, reachableRoot, report });
  const { cluster, password } = await ensureCluster({ folder, dataDir, binaries, runAs, report });
  const setup: ServerSetup = { ...options, dataDir, folder, cluster, postgres: binaries.postgres, runAs };
  const { guarded, port } = await startOnSomePort(setup);
  const url = (database: string, role = `${DATABASE_ROLE}:${password}`): string =>
    `postgres://${role}@${HOST}:${port}/${database}`;
  const { pid, exited, stop, kill } = guarded;
  try {
    await ensureDatabase(url('postgres'));
    const { server, worker } = await ensureRuntimeLogins(url('postgres'), dataDir);
    const serverUrl = url(DATABASE, `${server.name}:${server.password}`);
    const workerUrl = url(DATABASE, `${worker.name}:${worker.password}`);
    return { url: url(DATABASE), serverUrl, workerUrl, port, pid, exited, stop, kill };
  } catch (error) {
    await guarded.stop();
    throw error;
  }
}

interface ServerSetup extends PostgresOptions {
  folder: string;
  cluster: string;
  postgres: string;
  runAs: RunAs | undefined;
}

/**
 * Retries, because a port that was free may have been taken since, and the processes of a killed server release its
 * memory only after a moment.
 */
async function startOnSomePort(setup: ServerSetup): Promise<{ guarded: GuardedProcess; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = setup.port ?? (await rememberedPort(join(setup.dataDir, 'postgres-port')));
    if (setup.port !== undefined && !(await waitForPort(port, HOST, PORT_WAIT_MS))) {
      throw new Error(
        `Postgres cannot listen on ${HOST}:${port}: another program uses it. Stop that program, or choose another port`,
      );
    }
    try {
      return { guarded: await startServer(setup, port), port };
    } catch (error) {
      const transient = /could not bind|could not create any TCP|pre-existing shared memory|is being used/;
      if (attempt >= ATTEMPTS || !(error instanceof Error) || !transient.test(error.message)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

async function startServer(setup: ServerSetup, port: number): Promise<GuardedProcess> {
  const { dataDir, folder, cluster, runAs, report } = setup;
  const { reusedPid } = await stopLeftoverPostmaster(cluster, report);
  const ready = waitForLine((line) => line.includes('database system is ready to accept connections'));
  const settings = [
    `listen_addresses=${HOST}`,
    // A socket file would be a second access path, and its own path may be too long.
    'unix_socket_directories=',
    // Details and statements of errors contain rows, and so would put personal data into the log.
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    'lc_messages=C',
    ...(setup.settings ?? []),
  ];
  const logFile = join(dataDir, 'logs', 'postgres.log');
  const guarded = await spawnGuarded({
    name: 'Postgres',
    command: setup.postgres,
    args: ['-D', cluster, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    env: {
      PATH: '/usr/bin:/bin',
      LC_ALL: 'C',
      ...(reusedPid === undefined ? {} : { PG_GRANDPARENT_PID: String(reusedPid) }),
    },
    cwd: '/',
    ...(runAs === undefined ? {} : { uid: runAs.uid, gid: runAs.gid }),
    // SIGINT is Postgres's fast shutdown: transactions are ended and data is flushed, so the next start needs no recovery.
    stopSignal: 'SIGINT',
    graceMs: STOP_GRACE_MS,
    logFile,
    pidFile: join(folder, 'postgres.pid'),
    onLine: ready.onLine,
    report,
  });
  await waitUntilReady({ name: 'Postgres', guarded, logFile, ready: ready.seen, timeoutMs: READY_TIMEOUT_MS });
  return guarded;
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  // If the server ends, the query fails; without a listener the event would end this process too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(DATABASE)}`);
  } finally {
    await client.end();
  }
}
