import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';
import type { PayrunClient } from '../../client/sdk/index.ts';
import { exampleClients } from '../../local/demo/example-users.ts';
import { freePort } from '../../local/embedded/free-port.ts';
import { type ServiceProcess, spawnService } from '../../local/embedded/service-process.ts';
import { createSupervisor } from '../../local/embedded/supervisor.ts';
import { ensureDataKeyFile } from '../../config/data-key-file.ts';
import { readEnvironment, type Variables } from '../../config/environment.ts';
import { startDataServices } from '../../local/stack/data-services.ts';
import { childVariables, sandboxVariables } from '../../local/stack/child-variables.ts';
import { NODE_FLAGS, spawnCommand } from '../../local/stack/spawn-command.ts';
import { DEFAULT_ACCOUNT } from '../../domain/identifiers.ts';
import { webhookTokens } from '../../config/webhook-token.ts';
import { writeAccounts } from './bench-accounts.ts';
import { monitorVariables } from './process-monitors.ts';
import { type SandboxView, viewSandbox } from './sandbox-view.ts';

const PAYRUN = fileURLToPath(new URL('../../bin/payrun', import.meta.url));
const DAY_SECONDS = 86_400;
const WEBHOOK_HEADERS = { 'x-payrun-webhook': 'bench' };

export interface BenchStackOptions {
  readonly requestsPerSecond: number;
  /** More flags of the sandbox, beside its port and limits. */
  readonly sandboxFlags: readonly string[];
  readonly report: (line: string) => void;
  /** Whether server and worker say how much memory they take, and how long nothing else was done: see `readMonitors`. */
  readonly isMonitored?: boolean;
  /** How many accounts with the provider, each with the same limit; absent: the one of the environment. */
  readonly accounts?: number;
}

/** Where a worker runs and how it reaches the other services. */
export interface WorkerLocation {
  /** Names its log and its process. */
  readonly name: string;
  /** A network namespace; absent: that of the benchmark. */
  readonly namespace?: string;
  readonly databaseUrl?: string;
  readonly temporalAddress?: string;
  readonly apiUrl?: string;
  /** Its request limit; absent: the stack's. */
  readonly requestsPerSecond?: number;
}

export interface BenchStack {
  /** Its data folder. */
  readonly home: string;
  /** Logs in as the worker. */
  readonly databaseUrl: string;
  /** Logs in as the owner, who may read every table. */
  readonly ownerUrl: string;
  readonly temporalAddress: string;
  readonly sandboxUrl: string;
  readonly sandbox: SandboxView;
  /** With `accounts`: each of them as the sandbox shows it. */
  readonly accounts: readonly { readonly name: string; readonly sandbox: SandboxView }[];
  readonly pids: Readonly<Record<'server' | 'sandbox' | 'temporal' | 'postgres', number>>;
  readonly maker: PayrunClient;
  readonly checker: PayrunClient;
  readonly onboarder: PayrunClient;
  readonly serverUrl: string;
  /** Kills the server with SIGKILL. */
  killServer(): Promise<void>;
  /** Starts another server at the same address. */
  restartServer(): Promise<void>;
  /** Starts a worker as a process, as `payrun worker` does; nothing restarts it when it ends. */
  startWorker(location?: WorkerLocation): Promise<ServiceProcess>;
  stop(): Promise<void>;
}

/**
 * Starts everything except workers, each service as its own process as `payrun up` does, in a folder that `stop` deletes.
 * The services end with this process, however it ends. @throws Error when a service cannot be started
 */
export async function startBenchStack(options: BenchStackOptions): Promise<BenchStack> {
  const { report } = options;
  const home = mkdtempSync(join(tmpdir(), 'payrun-bench-'));
  // When this runs as root, Postgres runs as another user, who needs access to the folder.
  chmodSync(home, 0o755);
  const variables = ownVariables(options);
  const monitored = options.isMonitored === true ? monitorVariables(home) : {};
  const environment = readEnvironment(variables);
  const onGaveUp = ({ name, reason }: { name: string; reason: string }): void => report(`${name} gave up: ${reason}`);
  const supervisor = createSupervisor({ report, onGaveUp });
  const started: ServiceProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const service of started.toReversed()) await service.stop();
    await supervisor.stop();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const data = await startDataServices({ home, environment, variables, report, onGaveUp }, supervisor);
    const { ownerUrl, workerDatabaseUrl: databaseUrl, temporalAddress } = data;
    const [sandboxPort, httpPort] = [await freePort(), await freePort()];
    const [sandboxUrl, serverUrl] = [`http://127.0.0.1:${sandboxPort}`, `http://127.0.0.1:${httpPort}`];
    const children = childVariables(variables, { ...data, sandboxUrl, dataKeyFile: ensureDataKeyFile(home) });
    const several =
      options.accounts === undefined
        ? null
        : writeAccounts({ ...options, folder: home, sandboxUrl, count: options.accounts });
    const spawning = {
      ...{ home, report },
      variables: { ...children.server, ...several?.server, ...monitored, PAYRUN_HTTP_PORT: String(httpPort) },
    };
    const flags = [...sandboxFlags(sandboxPort, home, options), ...(several?.sandboxFlags ?? [])];
    const sandboxProcess = await spawnCommand(spawning, 'sandbox', flags);
    started.push(sandboxProcess);
    const sandbox = viewSandbox(sandboxUrl);
    const accounts = viewAccounts(several, sandboxUrl);
    await directWebhooks({ home, serverUrl, sandbox, accounts });
    // Their credentials are not those of payrun's own sandbox.
    if (several !== null) await beLive(ownerUrl);
    let server = await spawnCommand(spawning, 'server');
    started.push({ ...server, stop: () => server.stop() });
    const pids = { server: server.pid, sandbox: sandboxProcess.pid, ...dataServicePids(home) };
    return {
      ...{ home, databaseUrl, ownerUrl, temporalAddress, sandboxUrl, serverUrl, sandbox, pids, stop },
      killServer: async () => {
        process.kill(server.pid, 'SIGKILL');
        await server.exited;
      },
      restartServer: async () => {
        server = await spawnCommand(spawning, 'server');
      },
      accounts,
      ...(await exampleClients(ownerUrl, serverUrl)),
      startWorker: async (location = { name: 'worker' }) => {
        const env = {
          ...children.worker,
          ...several?.worker,
          ...monitored,
          PAYRUN_HOME: home,
          ...variablesFor(location),
        };
        const worker = await spawnWorker(location, env, { home, report });
        started.push(worker);
        return worker;
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function viewAccounts(several: ReturnType<typeof writeAccounts> | null, sandboxUrl: string) {
  return (several?.accounts ?? []).map(({ name, apiKey, webhookToken }) => ({
    name,
    webhookToken,
    sandbox: viewSandbox(sandboxUrl, apiKey),
  }));
}

/** Of the only account, or of each of several. */
async function directWebhooks({
  home,
  serverUrl,
  sandbox,
  accounts,
}: Pick<BenchStack, 'home' | 'serverUrl' | 'sandbox'> & {
  accounts: readonly { webhookToken: string; sandbox: SandboxView }[];
}): Promise<void> {
  const addressOf = (token: string): string => `${serverUrl}/webhooks/${token}`;
  const [kept = ''] = webhookTokens(home, { name: DEFAULT_ACCOUNT, webhookTokens: undefined });
  if (accounts.length === 0) await sandbox.sendWebhooksTo({ url: addressOf(kept), headers: WEBHOOK_HEADERS });
  for (const { webhookToken, sandbox: view } of accounts) {
    await view.sendWebhooksTo({ url: addressOf(webhookToken), headers: {} });
  }
}

/** Leaves out every address and credential of the environment, so that no real service can be reached. */
function ownVariables({ requestsPerSecond }: BenchStackOptions): Variables {
  const kept = Object.entries(process.env).filter(
    ([name]) => name === 'PAYRUN_TEMPORAL_CLI' || !/^(PAYRUN_|TEMPORAL_|DATABASE_URL)/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    ...limitVariables(requestsPerSecond),
    PAYRUN_WEBHOOK_HEADERS: JSON.stringify(WEBHOOK_HEADERS),
    PAYRUN_LOG_LEVEL: 'warn',
  };
}

/** 0: no limit, neither per second nor per day. */
function limitVariables(requestsPerSecond: number): Variables {
  return {
    PAYRUN_REQUESTS_PER_SECOND: String(requestsPerSecond),
    PAYRUN_REQUESTS_PER_DAY: requestsPerSecond === 0 ? '0' : String(requestsPerSecond * DAY_SECONDS),
  };
}

/** The variables that differ for a worker at this location. */
function variablesFor({
  namespace,
  databaseUrl,
  temporalAddress,
  apiUrl,
  requestsPerSecond,
}: WorkerLocation): Variables {
  return {
    ...(requestsPerSecond === undefined ? {} : limitVariables(requestsPerSecond)),
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...(temporalAddress === undefined ? {} : { TEMPORAL_ADDRESS: temporalAddress }),
    ...(apiUrl === undefined ? {} : sandboxVariables(apiUrl)),
    // A namespace reaches this machine over a virtual interface, on which nobody else can listen.
    ...(namespace === undefined ? {} : { PAYRUN_ALLOW_PLAINTEXT: 'provider,postgres,temporal,uploads' }),
  };
}

/** With a state file, as `payrun up` starts it, and with enough money for any number of payments. */
function sandboxFlags(port: number, home: string, options: BenchStackOptions): string[] {
  return [
    ...['--port', String(port), '--limit', String(options.requestsPerSecond)],
    ...(options.requestsPerSecond === 0 ? ['--daily-limit', '0'] : []),
    ...['--balance', 'USD=900000000000.00', '--state', join(home, 'sandbox-state.jsonl')],
    ...options.sandboxFlags,
  ];
}

function spawnWorker(
  { name, namespace }: WorkerLocation,
  env: Variables,
  { home, report }: { home: string; report: (line: string) => void },
): Promise<ServiceProcess> {
  const isInNamespace = namespace !== undefined;
  return spawnService({
    command: isInNamespace ? 'ip' : process.execPath,
    args: [...(isInNamespace ? ['netns', 'exec', namespace, process.execPath] : []), ...NODE_FLAGS, PAYRUN, 'worker'],
    ...{ name, env, report },
    logFile: join(home, 'logs', `${name}.log`),
    readyWhen: (line) => line === 'payrun worker is ready',
  });
}

/** Each embedded service writes its process id to a file below the home folder. */
function dataServicePids(home: string): { temporal: number; postgres: number } {
  const pidIn = (file: string): number =>
    (JSON.parse(readFileSync(join(home, file), 'utf8')) as { child: { pid: number } }).child.pid;
  return { temporal: pidIn('temporal/temporal.pid'), postgres: pidIn('postgres/postgres.pid') };
}

/** Connects to the stack's database as its owner. */
export function openStackDatabase({ ownerUrl }: Pick<BenchStack, 'ownerUrl'>): Pool {
  const database = new Pool({ connectionString: ownerUrl, max: 1 });
  // The database may stop before this pool is closed.
  database.on('error', () => undefined);
  return database;
}

/** As if two administrators had gone live, by a policy that asks for no second factor. */
async function beLive(ownerUrl: string): Promise<void> {
  const database = new Pool({ connectionString: ownerUrl, max: 1 });
  try {
    await database.query(
      `insert into policies (policy) select current_policy() || '{"secondFactor": {"approvals": false, "changes": false}}'`,
    );
    await database.query(`insert into changes (kind, state, decided_at) values ('go_live', 'effective', now())`);
  } finally {
    await database.end();
  }
}
