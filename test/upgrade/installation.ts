import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import type { Variables } from '../../config/environment.ts';
import { searchAttributeTypes } from '../../config/temporal/search-attributes.ts';
import { readSandboxLedger } from '../../local/demo/demo-files.ts';
import { type ExampleClients, exampleClients } from '../../local/demo/example-users.ts';
import { findTemporal } from '../../local/embedded/find-temporal.ts';
import { freePort } from '../../local/embedded/free-port.ts';
import { startPostgres } from '../../local/embedded/postgres-server.ts';
import { type ServiceProcess, spawnService } from '../../local/embedded/service-process.ts';
import { payrunCacheDir } from '../../local/embedded/temporal-cache.ts';
import { startTemporal } from '../../local/embedded/temporal-server.ts';
import { childVariables } from '../../local/stack/child-variables.ts';
import { controlSandbox } from '../helpers/control-sandbox.ts';

const NAMESPACE = 'default';
const REQUESTS_PER_SECOND = 20;

/** What the provider's books say. */
export interface Ledger {
  createdMoreThanOnce: string[];
  fundedMoreThanOnce: string[];
  signedUpMoreThanOnce: string[][];
  invariantHolds: boolean;
  rejectedByLimit: number;
  payments: Partial<Record<string, number>>;
}

/** Services that outlive an upgrade, and the processes of whichever version is started. */
export interface Installation {
  /** As the owner, who may read everything. */
  database: pg.Pool;
  temporal: Client;
  /** A call of the sandbox's control API. */
  control(path: string, body: object): Promise<void>;
  ledger(): Promise<Ledger>;
  /** Starts a worker or the server of the version whose sources are in this folder. */
  start(source: string, command: 'worker' | 'server', ...args: string[]): Promise<ServiceProcess>;
  /** Runs a command of an operator, of the version in this folder, and returns what it prints. */
  operate(source: string, ...args: string[]): Promise<string>;
  /** Once a server runs. */
  clients(): Promise<ExampleClients>;
  stop(): Promise<void>;
}

export async function startInstallation(home: string, source: string): Promise<Installation> {
  const silent = (): void => undefined;
  const stops: (() => Promise<unknown>)[] = [];
  const kept = <Service extends { stop(): Promise<unknown> }>(service: Service): Service => {
    stops.push(() => service.stop());
    return service;
  };
  const found = await findTemporal({
    temporalAddress: undefined,
    temporalCli: process.env['PAYRUN_TEMPORAL_CLI'],
    env: process.env,
    cacheDir: payrunCacheDir(process.env),
    report: silent,
  });
  if (found.kind === 'address') throw new Error('the upgrade is tried with a Temporal of its own');
  const postgres = kept(await startPostgres({ dataDir: join(home, 'postgres'), report: silent }));
  const searchAttributes = searchAttributeTypes();
  const temporal = kept(
    await startTemporal({
      ...{
        binary: found.binary,
        dataDir: join(home, 'temporal'),
        namespace: NAMESPACE,
        searchAttributes,
        report: silent,
      },
    }),
  );
  const httpPort = await freePort();
  const serverUrl = `http://127.0.0.1:${httpPort}`;
  const sandboxPort = await freePort({ except: [httpPort] });
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const settings = settingsOf(home, httpPort);
  const { worker, server } = childVariables(settings, {
    ...{ serverDatabaseUrl: postgres.serverUrl, workerDatabaseUrl: postgres.workerUrl, isDatabaseEmbedded: true },
    ...{ temporalAddress: temporal.address, isTemporalEmbedded: true, sandboxUrl },
  });
  let started = 0;
  const spawn = async (from: string, command: string, args: string[], env: Variables): Promise<ServiceProcess> => {
    started += 1;
    return kept(
      await spawnService({
        name: `${started}-${command}`,
        command: process.execPath,
        args: [join(from, 'bin', 'payrun'), command, ...args],
        env: { ...env, PAYRUN_HOME: home },
        logFile: join(home, 'logs', `${started}-${command}.log`),
        readyWhen: (line) => line.startsWith(`payrun ${command} is ready`),
        report: silent,
      }),
    );
  };
  const sandboxArguments = ['--port', String(sandboxPort), '--limit', String(REQUESTS_PER_SECOND), ...SANDBOX];
  await spawn(
    source,
    'sandbox',
    [...sandboxArguments, '--webhook-url', `${serverUrl}/webhooks/${WEBHOOK_TOKEN}`],
    settings,
  );
  const database = new pg.Pool({ connectionString: postgres.url, max: 2 });
  const connection = Connection.lazy({ address: temporal.address });
  return {
    database,
    temporal: new Client({ connection, namespace: NAMESPACE }),
    control: (path, body) => controlSandbox(sandboxUrl, path, body),
    ledger: () => readSandboxLedger<Ledger>(sandboxUrl),
    start: (from, command, ...args) => spawn(from, command, args, command === 'worker' ? worker : server),
    operate: async (from, ...args) => {
      const env = { ...settings, TEMPORAL_ADDRESS: temporal.address, PAYRUN_OWNER_DATABASE_URL: postgres.url };
      const { stdout } = await promisify(execFile)(process.execPath, [join(from, 'bin', 'payrun'), ...args], { env });
      return stdout;
    },
    clients: () => exampleClients(postgres.url, serverUrl),
    stop: async () => {
      await database.end();
      await connection.close();
      for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
    },
  };
}

const WEBHOOK_TOKEN = 'webhook-token-of-the-upgrade';

/** What is funded completes after the upgrade has begun, and a screening waits until the test decides it. */
const SANDBOX = ['--completion-min-ms', '25000', '--completion-max-ms', '30000', '--screening-outcome', 'operator'];

function settingsOf(home: string, httpPort: number): Variables {
  return {
    ...process.env,
    PAYRUN_HOME: home,
    PAYRUN_HTTP_PORT: String(httpPort),
    PAYRUN_WEBHOOK_TOKEN: WEBHOOK_TOKEN,
    PAYRUN_REQUESTS_PER_SECOND: String(REQUESTS_PER_SECOND),
    PAYRUN_REQUEST_TIMEOUT_MS: '3000',
    PAYRUN_VISIBILITY_DELAY_MS: '500',
    PAYRUN_STATUS_POLL_INTERVAL_MS: '500',
    PAYRUN_DATA_KEY: Buffer.alloc(32, 'data key of the upgrade').toString('base64'),
    PAYRUN_LOG_LEVEL: 'warn',
  };
}
