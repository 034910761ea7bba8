import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PayrunClient } from '../../client/sdk/index.ts';
import { freePort } from '../../local/embedded/free-port.ts';
import { type ServiceProcess, spawnService } from '../../local/embedded/service-process.ts';
import { createSupervisor } from '../../local/embedded/supervisor.ts';
import { readEnvironment, type Variables } from '../../config/environment.ts';
import { startDataServices } from '../../local/stack/data-services.ts';
import { childVariables, sandboxVariables } from '../../local/stack/child-variables.ts';
import { spawnVerb } from '../../local/stack/spawn-verb.ts';
import { exampleClients } from '../../local/demo/example-clients.ts';
import { webhookToken } from '../../config/webhook-token.ts';
import { type SandboxView, viewSandbox } from './sandbox-view.ts';

const PAYRUN = fileURLToPath(new URL('../../bin/payrun', import.meta.url));
const DAY_SECONDS = 86_400;
const WEBHOOK_HEADERS = { 'x-payrun-webhook': 'bench' };

export interface BenchStackOptions {
  readonly requestsPerSecond: number;
  /** More flags of the sandbox, beside its port and limits. */
  readonly sandboxFlags: readonly string[];
  readonly report: (line: string) => void;
}

/** Where a worker runs and how it reaches the rest. */
export interface WorkerPlace {
  /** Tells its log and its process apart. */
  readonly name: string;
  /** A network namespace; absent: this one. */
  readonly namespace?: string;
  readonly databaseUrl?: string;
  readonly temporalAddress?: string;
  readonly apiUrl?: string;
  /** What it keeps to; absent: the stack's. */
  readonly requestsPerSecond?: number;
}

export interface BenchStack {
  /** Its data folder. */
  readonly home: string;
  /** With the worker's login. */
  readonly databaseUrl: string;
  /** Who may read every table. */
  readonly ownerUrl: string;
  readonly temporalAddress: string;
  readonly sandboxUrl: string;
  readonly sandbox: SandboxView;
  readonly pids: Readonly<Record<'server' | 'sandbox' | 'temporal' | 'postgres', number>>;
  readonly maker: PayrunClient;
  readonly checker: PayrunClient;
  readonly serverUrl: string;
  /** The server ends as by a power cut. */
  killServer(): Promise<void>;
  /** Another server at the same address. */
  startServerAgain(): Promise<void>;
  /** A worker as a process of its own, as `payrun worker` runs it; it is not started again when it ends. */
  startWorker(place?: WorkerPlace): Promise<ServiceProcess>;
  stop(): Promise<void>;
}

/**
 * Everything but a worker, each as its own process as `payrun up` runs them, in a folder that `stop` deletes. It ends
 * with this process, however that ends. @throws Error when a service cannot be started
 */
export async function startBenchStack(options: BenchStackOptions): Promise<BenchStack> {
  const { report } = options;
  const home = mkdtempSync(join(tmpdir(), 'payrun-bench-'));
  // As root, Postgres runs under a user of its own, who must be able to enter.
  chmodSync(home, 0o755);
  const variables = ownVariables(options);
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
    const children = childVariables(variables, { ...data, sandboxUrl });
    const spawning = { home, variables: { ...children.server, PAYRUN_HTTP_PORT: String(httpPort) }, report };
    const sandboxProcess = await spawnVerb(spawning, 'sandbox', sandboxFlags(sandboxPort, home, options));
    started.push(sandboxProcess);
    const sandbox = viewSandbox(sandboxUrl);
    await sandbox.sendWebhooksTo({
      url: `${serverUrl}/webhooks/${webhookToken(home, undefined)}`,
      headers: WEBHOOK_HEADERS,
    });
    let server = await spawnVerb(spawning, 'server');
    started.push({ ...server, stop: () => server.stop() });
    const pids = { server: server.pid, sandbox: sandboxProcess.pid, ...dataServicePids(home) };
    return {
      ...{ home, databaseUrl, ownerUrl, temporalAddress, sandboxUrl, serverUrl, sandbox, pids, stop },
      killServer: async () => {
        process.kill(server.pid, 'SIGKILL');
        await server.exited;
      },
      startServerAgain: async () => {
        server = await spawnVerb(spawning, 'server');
      },
      ...(await exampleClients(ownerUrl, serverUrl)),
      startWorker: async (place = { name: 'worker' }) => {
        const env = { ...children.worker, PAYRUN_HOME: home, ...reachedFrom(place) };
        const worker = await spawnWorker(place, env, { home, report });
        started.push(worker);
        return worker;
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Nothing real may be reached, whatever the environment names. */
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

/** 0: no limit, neither of a second nor of a day. */
function limitVariables(requestsPerSecond: number): Variables {
  return {
    PAYRUN_REQUESTS_PER_SECOND: String(requestsPerSecond),
    PAYRUN_REQUESTS_PER_DAY: requestsPerSecond === 0 ? '0' : String(requestsPerSecond * DAY_SECONDS),
  };
}

/** What a worker is told otherwise where it runs elsewhere. */
function reachedFrom({ namespace, databaseUrl, temporalAddress, apiUrl, requestsPerSecond }: WorkerPlace): Variables {
  return {
    ...(requestsPerSecond === undefined ? {} : limitVariables(requestsPerSecond)),
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...(temporalAddress === undefined ? {} : { TEMPORAL_ADDRESS: temporalAddress }),
    ...(apiUrl === undefined ? {} : sandboxVariables(apiUrl)),
    // From a network of its own this machine is reached over a virtual wire, which nobody else can listen to.
    ...(namespace === undefined ? {} : { PAYRUN_ALLOW_PLAINTEXT: 'provider,postgres,temporal,uploads' }),
  };
}

/** As `payrun up` starts it, with a state file; with money enough for any number of payments. */
function sandboxFlags(port: number, home: string, options: BenchStackOptions): string[] {
  return [
    ...['--port', String(port), '--limit', String(options.requestsPerSecond)],
    ...(options.requestsPerSecond === 0 ? ['--daily-limit', '0'] : []),
    ...['--balance', 'USD=900000000000.00', '--state', join(home, 'sandbox-state.jsonl')],
    ...options.sandboxFlags,
  ];
}

function spawnWorker(
  { name, namespace }: WorkerPlace,
  env: Variables,
  { home, report }: { home: string; report: (line: string) => void },
): Promise<ServiceProcess> {
  const isApart = namespace !== undefined;
  return spawnService({
    command: isApart ? 'ip' : process.execPath,
    args: [...(isApart ? ['netns', 'exec', namespace, process.execPath] : []), PAYRUN, 'worker'],
    ...{ name, env, report },
    logFile: join(home, 'logs', `${name}.log`),
    readyWhen: (line) => line === 'payrun worker is ready',
  });
}

/** The process of each embedded service is named by a file below the home folder. */
function dataServicePids(home: string): { temporal: number; postgres: number } {
  const pidIn = (file: string): number =>
    (JSON.parse(readFileSync(join(home, file), 'utf8')) as { child: { pid: number } }).child.pid;
  return { temporal: pidIn('temporal/temporal.pid'), postgres: pidIn('postgres/postgres.pid') };
}
