import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { callInterceptors } from '../../config/temporal/call-interceptors.ts';
import pg from 'pg';
import { createPayrunClient, type PayrunClient } from '../../client/sdk/index.ts';
import type { Role } from '../../domain/users/role.ts';
import { exampleClients } from '../../local/demo/example-users.ts';
import type { Database } from '../../store/database/database.ts';
import { migrate } from '../../store/database/migrate.ts';
import { installUser } from '../../store/users/owner-users.ts';
import { freePort } from '../../local/embedded/free-port.ts';
import { findTemporal } from '../../local/embedded/find-temporal.ts';
import { startPostgres } from '../../local/embedded/postgres-server.ts';
import { payrunCacheDir } from '../../local/embedded/temporal-cache.ts';
import { startTemporal } from '../../local/embedded/temporal-server.ts';
import { childVariables } from '../../local/stack/child-variables.ts';
import { searchAttributeTypes } from '../../config/temporal/search-attributes.ts';
import { type RestartingService, startRestarting } from './restarting-service.ts';
import { spawnPayrun } from './payrun-process.ts';
import { type ProviderProxy, startProviderProxy } from './provider-proxy.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { newFolderInMemory } from '../helpers/folder-in-memory.ts';

export const REQUESTS_PER_SECOND = 20;
const WEBHOOK_TOKEN = 'webhook-token-of-the-fault-suite';
const MAX_WORKERS = 2;
/** Personal data is encrypted with it. */
const DATA_KEY = Buffer.alloc(32, 'data key of the fault suite').toString('base64');
/** Banks never close, so that schedules are due on every day. */
const CALENDARS = fileURLToPath(new URL('./treasury/calendars.yaml', import.meta.url));
const DOCUMENT_REQUIREMENTS = fileURLToPath(new URL('./onboarding/document-requirements.yaml', import.meta.url));

/**
 * Postgres, Temporal, the server and workers as processes, with a proxy on each connection between them that can break
 * it. One stack serves many scenarios in turn, each with its own sandbox behind the provider proxy.
 */
export interface FaultStack {
  home: string;
  database: Database;
  temporal: Client;
  maker: PayrunClient;
  checker: PayrunClient;
  treasurer: PayrunClient;
  /** Adds a user, whose client it answers. The login is new. */
  addUser(login: string, ...roles: Role[]): Promise<PayrunClient>;
  webhookUrl: string;
  providerProxy: ProviderProxy;
  postgresProxy: TcpProxy;
  temporalProxy: TcpProxy;
  /** Null: a small disk cannot be mounted here. */
  disk: SmallDisk | null;
  services: Record<'postgres' | 'temporal' | 'server', RestartingService>;
  workers: RestartingService[];
  /** Starts or stops workers until this many run. */
  setWorkerCount(count: number): Promise<void>;
  /** By how much a worker, by its number, or the server is ahead of this machine's clock. */
  setClock(process: number | 'server', offsetMs: number): void;
  /** Does this when the stack stops. */
  atStop(cleanUp: () => unknown): void;
  /** Deletes its folder too, unless `keepHome` keeps it for its logs. */
  stop(keepHome?: boolean): Promise<void>;
}

/** What to undo when the stack stops, last first. */
type CleanUps = (() => unknown)[];

export interface FaultStackOptions {
  /** Temporal's program; default: as payrun finds it. */
  temporalCli?: string;
  /** Changes the empty database, as its owner. */
  prepareDatabase?: (ownerUrl: string) => Promise<void>;
}

export async function startFaultStack(options: FaultStackOptions = {}): Promise<FaultStack> {
  const home = newFolderInMemory('faults');
  const cleanUps: CleanUps = [];
  const stop = async (keepHome = false): Promise<void> => {
    for (let last = cleanUps.pop(); last !== undefined; last = cleanUps.pop()) await last();
    if (!keepHome) rmSync(home, { recursive: true, force: true });
  };
  try {
    return { home, stop, ...(await startParts(home, cleanUps, options)) };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(
  home: string,
  cleanUps: CleanUps,
  { temporalCli, prepareDatabase }: FaultStackOptions,
): Promise<Omit<FaultStack, 'home' | 'stop'>> {
  const disk = mountSmallDisk(join(home, 'postgres'));
  if (disk !== null) cleanUps.push(() => disk.unmount());
  const [postgres, temporal, providerProxy] = await Promise.all([
    startRestartingPostgres(home, cleanUps),
    startRestartingTemporal(home, cleanUps, temporalCli ?? process.env['PAYRUN_TEMPORAL_CLI']),
    startProviderProxy(MAX_WORKERS),
  ]);
  cleanUps.push(() => providerProxy.close());
  await prepareDatabase?.(postgres.url);
  await migrate(postgres.url);
  const postgresProxy = await startTcpProxy(postgres.port);
  const temporalProxy = await startTcpProxy(temporal.port);
  cleanUps.push(() => Promise.all([postgresProxy.close(), temporalProxy.close()]));
  // Connects as the owner, who may read everything.
  const database = new pg.Pool({ connectionString: postgres.url, max: 5, application_name: 'payrun-faults' });
  database.on('error', () => undefined);
  cleanUps.push(() => database.end());
  const connection = Connection.lazy({
    address: `127.0.0.1:${temporal.port}`,
    interceptors: callInterceptors(),
  });
  cleanUps.push(() => connection.close());

  const proxies = { providerProxy, postgresProxy, temporalProxy };
  const { serverUrl, server, workers, setWorkerCount } = await startProcesses(home, postgres, proxies, cleanUps);
  return {
    database,
    temporal: new Client({ connection }),
    ...(await exampleClients(postgres.url, serverUrl)),
    addUser: async (login, ...roles) => {
      const token = await installUser(postgres.url, { login, name: login, roles }, Date.now);
      return createPayrunClient({ url: serverUrl, token });
    },
    webhookUrl: `${serverUrl}/webhooks/${WEBHOOK_TOKEN}`,
    ...proxies,
    disk,
    atStop: (cleanUp) => cleanUps.push(cleanUp),
    services: { postgres: postgres.service, temporal: temporal.service, server },
    workers,
    setWorkerCount,
    setClock: (process, offsetMs) => writeFileSync(clockFile(home, process), String(offsetMs)),
  };
}

/** Starts the server and a first worker, which reach everything through the proxies. */
async function startProcesses(
  home: string,
  postgres: PostgresAddresses,
  {
    providerProxy,
    postgresProxy,
    temporalProxy,
  }: Pick<FaultStack, 'providerProxy' | 'postgresProxy' | 'temporalProxy'>,
  cleanUps: CleanUps,
): Promise<Pick<FaultStack, 'workers' | 'setWorkerCount'> & { serverUrl: string; server: RestartingService }> {
  const httpPort = await freePort();
  const throughProxy = (url: string): string => Object.assign(new URL(url), { port: String(postgresProxy.port) }).href;
  const variablesOf = (worker: number) =>
    childVariables(settingsOf(home, httpPort), {
      serverDatabaseUrl: throughProxy(postgres.serverUrl),
      workerDatabaseUrl: throughProxy(postgres.workerUrl),
      isDatabaseEmbedded: true,
      temporalAddress: `127.0.0.1:${temporalProxy.port}`,
      isTemporalEmbedded: true,
      sandboxUrl: providerProxy.urlOf(worker),
    });
  const startWorker = async (worker: number): Promise<RestartingService> =>
    startRestarting(() =>
      spawnPayrun({
        home,
        verb: 'worker',
        name: `worker-${worker}`,
        variables: variablesOf(worker).worker,
        clockFile: clockFile(home, worker),
      }),
    );
  const workers: RestartingService[] = [];
  cleanUps.push(() => Promise.all(workers.map((worker) => worker.stop())));
  const setWorkerCount = async (count: number): Promise<void> => {
    while (workers.length > count) await workers.pop()?.stop();
    while (workers.length < count) workers.push(await startWorker(workers.length));
  };
  const [server] = await Promise.all([
    startRestarting(() =>
      spawnPayrun({
        ...{ home, verb: 'server', name: 'server' },
        variables: variablesOf(0).server,
        clockFile: clockFile(home, 'server'),
      }),
    ),
    setWorkerCount(1),
  ]);
  cleanUps.push(() => server.stop());
  return { serverUrl: `http://127.0.0.1:${httpPort}`, server, workers, setWorkerCount };
}

const settingsOf = (home: string, httpPort: number) => ({
  ...process.env,
  PAYRUN_WEBHOOK_TOKEN: WEBHOOK_TOKEN,
  PAYRUN_HTTP_PORT: String(httpPort),
  PAYRUN_REQUESTS_PER_SECOND: String(REQUESTS_PER_SECOND),
  PAYRUN_REQUEST_TIMEOUT_MS: '2000',
  PAYRUN_VISIBILITY_DELAY_MS: '300',
  PAYRUN_STATUS_POLL_INTERVAL_MS: '500',
  PAYRUN_SIGN_UP_PAUSE_MS: '2000',
  PAYRUN_DATA_KEY: DATA_KEY,
  PAYRUN_DOCUMENT_REQUIREMENTS: DOCUMENT_REQUIREMENTS,
  PAYRUN_CALENDARS: CALENDARS,
  PAYRUN_LOG_LEVEL: 'warn',
  PAYRUN_HOME: home,
});

const clockFile = (home: string, process: number | 'server'): string => join(home, `clock-${process}`);

/** Of Temporal's data, which is its home folder as well. */
export const temporalFolder = (home: string): string => join(home, 'temporal');

const silent = (): void => undefined;

type PostgresAddresses = Pick<Awaited<ReturnType<typeof startPostgres>>, 'port' | 'url' | 'serverUrl' | 'workerUrl'>;

async function startRestartingPostgres(
  home: string,
  cleanUps: CleanUps,
): Promise<{ service: RestartingService } & PostgresAddresses> {
  let known: PostgresAddresses | null = null;
  const service = await startRestarting(async () => {
    const dataDir = join(home, 'postgres');
    const started = await startPostgres({
      dataDir,
      report: silent,
      ...(known === null ? {} : { port: known.port }),
    });
    known = { port: started.port, url: started.url, serverUrl: started.serverUrl, workerUrl: started.workerUrl };
    return started;
  });
  cleanUps.push(() => service.stop());
  return { service, ...(known as unknown as PostgresAddresses) };
}

async function startRestartingTemporal(
  home: string,
  cleanUps: CleanUps,
  temporalCli: string | undefined,
): Promise<{ service: RestartingService; port: number }> {
  const found = await findTemporal({
    env: process.env,
    cacheDir: payrunCacheDir(process.env),
    temporalCli,
    report: silent,
  });
  if (found.kind !== 'binary') throw new Error('the fault suite starts its own Temporal server');
  let ports: { port: number; uiPort: number } | null = null;
  const service = await startRestarting(async () => {
    const started = await startTemporal({
      binary: found.binary,
      dataDir: temporalFolder(home),
      namespace: 'default',
      searchAttributes: searchAttributeTypes(),
      report: silent,
      ...(ports ?? {}),
    });
    ports = { port: started.port, uiPort: started.uiPort };
    return started;
  });
  cleanUps.push(() => service.stop());
  return { service, port: (ports as unknown as { port: number }).port };
}
