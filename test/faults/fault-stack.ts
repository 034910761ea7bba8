import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import type { PayrunClient } from '../../client/sdk/index.ts';
import type { Database } from '../../store/database/database.ts';
import { migrate } from '../../store/database/migrate.ts';
import { freePort } from '../../local/embedded/free-port.ts';
import { findTemporal } from '../../local/embedded/find-temporal.ts';
import { startPostgres } from '../../local/embedded/postgres-server.ts';
import { payrunCacheDir } from '../../local/embedded/temporal-cache.ts';
import { startTemporal } from '../../local/embedded/temporal-server.ts';
import { childVariables } from '../../local/stack/child-variables.ts';
import { searchAttributeTypes } from '../../workers/register-search-attributes.ts';
import { exampleClients } from '../../local/demo/example-clients.ts';
import { type KeptRunning, keepRunning } from './kept-running.ts';
import { spawnPayrun } from './payrun-process.ts';
import { type ProviderDoor, startProviderDoor } from './provider-door.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

export const REQUESTS_PER_SECOND = 20;
const WEBHOOK_TOKEN = 'webhook-token-of-the-fault-suite';
const MOST_WORKERS = 2;

/**
 * Postgres, Temporal, the server and workers as processes of their own, with a way between each two of them that can
 * be broken. One serves many scenarios, each with a sandbox of its own behind the door.
 */
export interface FaultStack {
  home: string;
  database: Database;
  temporal: Client;
  maker: PayrunClient;
  checker: PayrunClient;
  webhookUrl: string;
  door: ProviderDoor;
  toPostgres: TcpProxy;
  toTemporal: TcpProxy;
  /** Null: a small disk cannot be mounted here. */
  disk: SmallDisk | null;
  services: Record<'postgres' | 'temporal' | 'server', KeptRunning>;
  workers: KeptRunning[];
  /** Starts or stops workers until there are so many. */
  employ(workers: number): Promise<void>;
  setClock(worker: number, offByMs: number): void;
  /** Its folder goes as well, unless its logs are wanted. */
  stop(keepHome?: boolean): Promise<void>;
}

export async function startFaultStack(): Promise<FaultStack> {
  const home = mkdtempSync(join(tmpdir(), 'payrun-faults-'));
  // As root, Postgres runs under a user of its own, who must be able to enter.
  chmodSync(home, 0o755);
  const undo: (() => unknown)[] = [];
  const stop = async (keepHome = false): Promise<void> => {
    for (let last = undo.pop(); last !== undefined; last = undo.pop()) await last();
    if (!keepHome) rmSync(home, { recursive: true, force: true });
  };
  try {
    return { home, stop, ...(await startParts(home, undo)) };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(home: string, undo: (() => unknown)[]): Promise<Omit<FaultStack, 'home' | 'stop'>> {
  const disk = mountSmallDisk(join(home, 'postgres'));
  if (disk !== null) undo.push(() => disk.unmount());
  const [postgres, temporal, door] = await Promise.all([
    startPostgresKept(home, undo),
    startTemporalKept(home, undo),
    startProviderDoor(MOST_WORKERS),
  ]);
  undo.push(() => door.close());
  await migrate(postgres.url);
  const toPostgres = await startTcpProxy(postgres.port);
  const toTemporal = await startTcpProxy(temporal.port);
  undo.push(() => Promise.all([toPostgres.close(), toTemporal.close()]));
  // As the owner, to look at everything.
  const database = new pg.Pool({ connectionString: postgres.url, max: 5, application_name: 'payrun-faults' });
  database.on('error', () => undefined);
  undo.push(() => database.end());
  const connection = Connection.lazy({ address: `127.0.0.1:${temporal.port}` });
  undo.push(() => connection.close());

  const httpPort = await freePort();
  const throughProxy = (url: string): string => Object.assign(new URL(url), { port: String(toPostgres.port) }).href;
  const settings = {
    ...process.env,
    PAYRUN_WEBHOOK_TOKEN: WEBHOOK_TOKEN,
    PAYRUN_HTTP_PORT: String(httpPort),
    PAYRUN_REQUESTS_PER_SECOND: String(REQUESTS_PER_SECOND),
    PAYRUN_REQUEST_TIMEOUT_MS: '2000',
    PAYRUN_VISIBILITY_DELAY_MS: '300',
    PAYRUN_SWEEP_GAP_MS: '500',
    PAYRUN_LOG_LEVEL: 'warn',
    PAYRUN_HOME: home,
  };
  const children = (worker: number) =>
    childVariables(settings, {
      serverDatabaseUrl: throughProxy(postgres.serverUrl),
      workerDatabaseUrl: throughProxy(postgres.workerUrl),
      isDatabaseEmbedded: true,
      temporalAddress: `127.0.0.1:${toTemporal.port}`,
      isTemporalEmbedded: true,
      sandboxUrl: door.urlOf(worker),
    });
  const startWorker = async (worker: number): Promise<KeptRunning> =>
    keepRunning(() =>
      spawnPayrun({
        home,
        verb: 'worker',
        name: `worker-${worker}`,
        variables: children(worker).worker,
        clockFile: clockFile(home, worker),
      }),
    );
  const workers: KeptRunning[] = [];
  undo.push(() => Promise.all(workers.map((worker) => worker.stop())));
  const employ = async (wanted: number): Promise<void> => {
    while (workers.length > wanted) await workers.pop()?.stop();
    while (workers.length < wanted) workers.push(await startWorker(workers.length));
  };
  const [server] = await Promise.all([
    keepRunning(() => spawnPayrun({ home, verb: 'server', name: 'server', variables: children(0).server })),
    employ(1),
  ]);
  undo.push(() => server.stop());
  const serverUrl = `http://127.0.0.1:${httpPort}`;
  return {
    database,
    temporal: new Client({ connection }),
    ...(await exampleClients(postgres.url, serverUrl)),
    webhookUrl: `${serverUrl}/webhooks/${WEBHOOK_TOKEN}`,
    door,
    toPostgres,
    toTemporal,
    disk,
    services: { postgres: postgres.kept, temporal: temporal.kept, server },
    workers,
    employ,
    setClock: (worker, offByMs) => writeFileSync(clockFile(home, worker), String(offByMs)),
  };
}

const clockFile = (home: string, worker: number): string => join(home, `clock-${worker}`);

const silent = (): void => undefined;

type PostgresAddresses = Pick<Awaited<ReturnType<typeof startPostgres>>, 'port' | 'url' | 'serverUrl' | 'workerUrl'>;

async function startPostgresKept(
  home: string,
  undo: (() => unknown)[],
): Promise<{ kept: KeptRunning } & PostgresAddresses> {
  let known: PostgresAddresses | null = null;
  const kept = await keepRunning(async () => {
    const dataDir = join(home, 'postgres');
    const started = await startPostgres({
      dataDir,
      report: silent,
      ...(known === null ? {} : { port: known.port }),
    });
    known = { port: started.port, url: started.url, serverUrl: started.serverUrl, workerUrl: started.workerUrl };
    return started;
  });
  undo.push(() => kept.stop());
  return { kept, ...(known as unknown as PostgresAddresses) };
}

async function startTemporalKept(home: string, undo: (() => unknown)[]): Promise<{ kept: KeptRunning; port: number }> {
  const found = await findTemporal({
    env: process.env,
    cacheDir: payrunCacheDir(process.env),
    temporalCli: process.env['PAYRUN_TEMPORAL_CLI'],
    report: silent,
  });
  if (found.kind !== 'binary') throw new Error('the fault suite starts a Temporal server of its own');
  let ports: { port: number; uiPort: number } | null = null;
  const kept = await keepRunning(async () => {
    const started = await startTemporal({
      binary: found.binary,
      dataDir: join(home, 'temporal'),
      namespace: 'default',
      searchAttributes: searchAttributeTypes(),
      report: silent,
      ...(ports ?? {}),
    });
    ports = { port: started.port, uiPort: started.uiPort };
    return started;
  });
  undo.push(() => kept.stop());
  return { kept, port: (ports as unknown as { port: number }).port };
}
