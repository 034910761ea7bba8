import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { callInterceptors } from '../../config/temporal/call-interceptors.ts';
import { isPortFree, waitForPort, rememberedPort } from './free-port.ts';
import { type GuardedProcess, type ProcessExit, spawnGuarded } from './guarded-process.ts';
import { ensureSearchAttributes, type SearchAttributeType } from '../../config/temporal/search-attributes.ts';
import { waitUntilReady } from './service-process.ts';
import { readTemporalVersion } from './temporal-version.ts';

const STOP_GRACE_MS = 5_000;
const READY_TIMEOUT_MS = 90_000;
const PORT_WAIT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 2_000;
const POLL_MS = 50;
const ATTEMPTS = 5;

/** Go's own setting: fewer garbage collections for more memory, as each one scans the server's whole cache. */
const GARBAGE_COLLECTION = { GOGC: '300' };

/** Workflows in the server's cache. With its default, which keeps each for an hour, 20,000 payments take a gigabyte. */
const MAX_CACHED_WORKFLOWS = 4_000;

export interface TemporalOptions {
  /** The `temporal` program, see find-temporal. */
  binary: string;
  /** Holds the database file, log and ports. */
  dataDir: string;
  host?: '127.0.0.1';
  /** Exactly these ports; default: those of the last start if they are free, else free ones. */
  port?: number;
  uiPort?: number;
  namespace: string;
  /** New ones may be added at a later start; an existing one keeps its type. */
  searchAttributes: Readonly<Record<string, SearchAttributeType>>;
  report: (line: string) => void;
}

export interface TemporalServer {
  /** host:port of the gRPC service. */
  address: string;
  uiUrl: string;
  port: number;
  uiPort: number;
  pid: number;
  exited: Promise<ProcessExit>;
  /** Called once if it ends without `stop`. */
  onCrash: (listener: (exit: ProcessExit) => void) => void;
  stop: () => Promise<void>;
  kill: () => void;
}

/**
 * Starts Temporal's dev server on loopback with a database file, and waits until it serves the namespace. Acknowledged
 * writes survive a kill (write-ahead log); a power failure may lose the last ones, which is why payments are
 * recorded in Postgres.
 * Errors: a requested port that stays in use, a server that ends while starting (with the last lines of its log).
 */
export async function startTemporal(wanted: TemporalOptions): Promise<TemporalServer> {
  const options = { ...wanted, dataDir: resolve(wanted.dataDir) };
  const host = options.host ?? '127.0.0.1';
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const { guarded, port, uiPort } = await startOnSomePorts(options, host);
  let isStopRequested = false;
  return {
    address: `${host}:${port}`,
    uiUrl: `http://${host}:${uiPort}`,
    port,
    uiPort,
    pid: guarded.pid,
    exited: guarded.exited,
    onCrash: (listener) => {
      void guarded.exited.then((exit) => {
        if (!isStopRequested) listener(exit);
      });
    },
    stop: async () => {
      isStopRequested = true;
      await guarded.stop();
    },
    kill: guarded.kill,
  };
}

interface Ports {
  port: number;
  uiPort: number;
}

/** Retries with other ports, because a free port may be taken before the server listens on it. */
async function startOnSomePorts(options: TemporalOptions, host: string): Promise<Ports & { guarded: GuardedProcess }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await rememberedPort(join(options.dataDir, 'temporal-port')));
    const uiPort = options.uiPort ?? (await rememberedPort(join(options.dataDir, 'temporal-ui-port'), [port]));
    for (const wanted of [options.port, options.uiPort]) await requirePort(wanted, host);
    try {
      return { guarded: await startServer(options, host, { port, uiPort }), port, uiPort };
    } catch (error) {
      const taken = !(await isPortFree(port, host)) || !(await isPortFree(uiPort, host));
      if (attempt >= ATTEMPTS || !taken) throw error;
    }
  }
}

async function requirePort(port: number | undefined, host: string): Promise<void> {
  if (port === undefined || (await waitForPort(port, host, PORT_WAIT_MS))) return;
  throw new Error(
    `Temporal cannot listen on ${host}:${port}: another program uses it. Stop that program, or choose another port`,
  );
}

async function startServer(options: TemporalOptions, host: string, ports: Ports): Promise<GuardedProcess> {
  const { binary, dataDir, report } = options;
  const logFile = join(dataDir, 'logs', 'temporal.log');
  const guarded = await spawnGuarded({
    name: 'Temporal',
    command: binary,
    args: await serverArguments(options, host, ports),
    // Its own home folder: the user's Temporal configuration must not change this server.
    env: { PATH: '/usr/bin:/bin', HOME: dataDir, ...GARBAGE_COLLECTION },
    cwd: dataDir,
    stopSignal: 'SIGTERM',
    graceMs: STOP_GRACE_MS,
    logFile,
    pidFile: join(dataDir, 'temporal.pid'),
    report,
  });
  const ended = new AbortController();
  void guarded.exited.then(() => ended.abort());
  const ready = servesNamespace(`${host}:${ports.port}`, options.namespace, ended.signal);
  try {
    await waitUntilReady({ name: 'Temporal', guarded, logFile, ready, timeoutMs: READY_TIMEOUT_MS });
  } finally {
    ended.abort();
    await ready;
  }
  await registerSearchAttributes(options, `${host}:${ports.port}`).catch(async (error: unknown) => {
    await guarded.stop();
    throw error;
  });
  return guarded;
}

async function serverArguments(options: TemporalOptions, host: string, ports: Ports): Promise<string[]> {
  const version = await readTemporalVersion(options.binary);
  const settings = [
    // Several partitions would each keep their own order; with one, priority and fairness are exact.
    'matching.numTaskqueueReadPartitions=1',
    'matching.numTaskqueueWritePartitions=1',
    'matching.enableFairness=true',
    `history.hostLevelCacheMaxSize=${MAX_CACHED_WORKFLOWS}`,
    // Server 1.29 supports priority only with the new matcher, the default of later versions.
    ...(version?.major === 1 && version.minor === 29 ? ['matching.useNewMatcher=true'] : []),
  ];
  const attributes = Object.entries(options.searchAttributes).map(([name, type]) => `${name}=${type}`);
  return [
    ...['server', 'start-dev', '--ip', host, '--port', String(ports.port), '--ui-port', String(ports.uiPort)],
    ...['--db-filename', join(options.dataDir, 'temporal.db'), '--namespace', options.namespace],
    // Without these two every write is flushed alone: 13 workflow starts a second instead of 70.
    ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'],
    ...['--log-level', 'error'],
    ...settings.flatMap((setting) => ['--dynamic-config-value', setting]),
    ...attributes.flatMap((attribute) => ['--search-attribute', attribute]),
  ];
}

async function registerSearchAttributes(options: TemporalOptions, address: string): Promise<void> {
  const connection = await connectTo(address);
  try {
    await ensureSearchAttributes(connection, options.namespace, options.searchAttributes);
  } finally {
    await connection.close();
  }
}

/** Resolves once the server answers for the namespace, or when it has ended. */
async function servesNamespace(address: string, namespace: string, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    try {
      const connection = await connectTo(address);
      try {
        await connection.withDeadline(Date.now() + CONNECT_TIMEOUT_MS, () =>
          connection.workflowService.describeNamespace({ namespace }),
        );
        return;
      } finally {
        await connection.close();
      }
    } catch {
      await sleep(POLL_MS);
    }
  }
}

function connectTo(address: string): Promise<Connection> {
  return Connection.connect({ address, connectTimeout: CONNECT_TIMEOUT_MS, interceptors: callInterceptors() });
}
