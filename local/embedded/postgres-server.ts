import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { portBecomesFree, rememberedPort } from './free-port.ts';
import { type GuardedProcess, type ProcessExit, spawnGuarded } from './guarded-process.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { DATABASE_ROLE, ensureCluster } from './postgres-cluster.ts';
import { ensureRuntimeLogins } from './postgres-roles.ts';
import { clusterFolder, knownClusterFolder } from './postgres-folder.ts';
import { postgresRunAs, type RunAs } from './postgres-user.ts';
import { clearLeftPostmaster } from './postmaster.ts';
import { lineThat, readyOrEnded } from './service-process.ts';

const HOST = '127.0.0.1';
const DATABASE = 'payrun';
const STOP_GRACE_MS = 15_000;
/** After a crash the server replays its log first. */
const READY_TIMEOUT_MS = 120_000;
const PORT_WAIT_MS = 10_000;
const ATTEMPTS = 20;
const PAUSE_MS = 250;

export interface PostgresOptions {
  /** Holds the cluster, its password, log and port. */
  dataDir: string;
  /** Exactly this port; without, the one of the last start if it is free, else a free one. */
  port?: number;
  /** Where a cluster and programs go that root's substitute cannot reach; default /var/lib/payrun. */
  reachableRoot?: string;
  report: (line: string) => void;
}

export interface PostgresServer {
  /** postgres://… of the role that owns everything, with its password: for migrations alone, and as secret as the data. */
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
 * Starts the embedded Postgres on loopback with the database `payrun`, creating the cluster at the first start. What a
 * killed predecessor has left is cleared away; committed data survives a kill.
 *
 * As root the server runs under the system user `postgres` (created if missing), who then owns the cluster; the rest of
 * `dataDir` stays root's. A `dataDir` that this user cannot enter keeps its cluster below `reachableRoot`.
 *
 * Errors, each with its fix: a cluster of another major version or another user, a wanted port that stays taken, a
 * server that ends while starting (with the last lines of its log).
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { report } = options;
  // Postgres is started in the root folder, where a relative path would mean another place.
  const dataDir = resolve(options.dataDir);
  const reachableRoot = options.reachableRoot ?? '/var/lib/payrun';
  const runAs = postgresRunAs(join(knownClusterFolder(dataDir), 'cluster'), report);
  const folder = clusterFolder({ dataDir, runAs, reachableRoot, report });
  const binaries = await findPostgresBinaries({ runAs, reachableRoot, report });
  const { cluster, password } = await ensureCluster({ folder, dataDir, binaries, runAs, report });
  const place: ServerPlace = { ...options, dataDir, folder, cluster, postgres: binaries.postgres, runAs };
  const { guarded, port } = await startOnSomePort(place);
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

interface ServerPlace extends PostgresOptions {
  folder: string;
  cluster: string;
  postgres: string;
  runAs: RunAs | undefined;
}

/**
 * A port that was free a moment ago may be taken, and the processes of a server that was just killed may take a moment
 * to let go of its memory: both pass, so the start is tried again.
 */
async function startOnSomePort(place: ServerPlace): Promise<{ guarded: GuardedProcess; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = place.port ?? (await rememberedPort(join(place.dataDir, 'postgres-port')));
    if (place.port !== undefined && !(await portBecomesFree(port, HOST, PORT_WAIT_MS))) {
      throw new Error(
        `Postgres cannot listen on ${HOST}:${port}: another program does. Stop that, or choose another port`,
      );
    }
    try {
      return { guarded: await startServer(place, port), port };
    } catch (error) {
      const passing = /could not bind|could not create any TCP|pre-existing shared memory|is being used/;
      if (attempt >= ATTEMPTS || !(error instanceof Error) || !passing.test(error.message)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

async function startServer(place: ServerPlace, port: number): Promise<GuardedProcess> {
  const { dataDir, folder, cluster, runAs, report } = place;
  const { reusedPid } = await clearLeftPostmaster(cluster, report);
  const ready = lineThat((line) => line.includes('database system is ready to accept connections'));
  const settings = [
    `listen_addresses=${HOST}`,
    // A socket file would add a second way in, and a path that may be too long.
    'unix_socket_directories=',
    // Details and statements of an error would put rows, hence personal data, into the log.
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    'lc_messages=C',
  ];
  const logFile = join(dataDir, 'logs', 'postgres.log');
  const guarded = await spawnGuarded({
    name: 'Postgres',
    command: place.postgres,
    args: ['-D', cluster, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    env: {
      PATH: '/usr/bin:/bin',
      LC_ALL: 'C',
      ...(reusedPid === undefined ? {} : { PG_GRANDPARENT_PID: String(reusedPid) }),
    },
    cwd: '/',
    ...(runAs === undefined ? {} : { uid: runAs.uid, gid: runAs.gid }),
    // SIGINT is Postgres's fast shutdown: transactions end, data is flushed, no recovery at the next start.
    stopSignal: 'SIGINT',
    graceMs: STOP_GRACE_MS,
    logFile,
    pidFile: join(folder, 'postgres.pid'),
    onLine: ready.onLine,
    report,
  });
  await readyOrEnded({ name: 'Postgres', guarded, logFile, ready: ready.seen, timeoutMs: READY_TIMEOUT_MS });
  return guarded;
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  // A server that ends meanwhile fails the query below; unheard, the event would end this process as well.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(DATABASE)}`);
  } finally {
    await client.end();
  }
}
