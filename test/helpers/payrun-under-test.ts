import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { expect, inject } from 'vitest';
import type { ActivitySettings } from '../../activities/dependencies.ts';
import { createApplication } from '../../application/create-application.ts';
import type { Application, RunSummary } from '../../application/application-api.ts';
import { FUNDS_SETTINGS } from '../../domain/runs/funds-schedule.ts';
import { KNOWN_OTHER_STATUSES, statesOfStatuses } from '../../domain/payments/provider-status.ts';
import { hash32 } from '../../sandbox/core/seeded-random.ts';
import type { SandboxOptions } from '../../sandbox/config/options.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/server.ts';
import { defaultAccount } from '../../sandbox/config/defaults.ts';
import { buildApp } from '../../server/app.ts';
import type { Database } from '../../store/database/database.ts';
import type { DayShift } from '../../store/gate/request-slots.ts';
import { ensureSearchAttributes } from '../../local/embedded/search-attributes.ts';
import { openProviderAccounts } from '../../workers/provider-accounts.ts';
import { checkProviders } from '../../workers/check-provider.ts';
import { searchAttributeTypes } from '../../workers/register-search-attributes.ts';
import { startWorkers } from '../../workers/start-worker.ts';
import { becomeCurrent } from '../../workers/versions/become-current.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { aUser, type TestUser } from './users.ts';

const WEBHOOK_TOKEN = 'webhook-token-of-the-tests';

/** What the sandbox sends along and the server asks for. */
export const WEBHOOK_HEADERS = { 'x-payrun-webhook': 'webhook-header-of-the-tests' };
const DAY_MS = 86_400_000;

export interface WorkerVersion {
  buildId: string;
  /** The workflows of that version. */
  bundlePath: string;
}

export interface PayrunUnderTest {
  application: Application;
  /** As the owner: for arranging and looking. The application and the workers have the rights of their parts. */
  database: Database;
  testDatabase: TestDatabase;
  temporal: Client;
  sandbox: RunningSandbox;
  serverUrl: string;
  maker: TestUser;
  checker: TestUser;
  /** Stops the workers and starts them again, as a deployment does. */
  restartWorkers(): Promise<void>;
  /** Starts workers of another version beside those that run; whoever starts them stops them. */
  startVersion(version: WorkerVersion): Promise<{ stop(): Promise<void> }>;
  /** Stops the workers until they are started again. */
  stopWorkers(): Promise<void>;
  stop(): Promise<void>;
}

/** The whole of payrun in this process, on the shared Postgres and Temporal, with a sandbox of its own. */
export async function startPayrun(
  options: {
    sandbox?: Partial<SandboxOptions>;
    settings?: Partial<ActivitySettings>;
    requestsPerSecond?: number;
    /** A day's budget, with its reserve, and how the days pass. */
    requestsPerDay?: number;
    requestsReservedPerDay?: number;
    dayShift?: () => DayShift;
    /** Something between payrun and the sandbox: given the sandbox's address, it answers its own. */
    wayTo?: (sandboxUrl: string) => Promise<string>;
  } = {},
): Promise<PayrunUnderTest> {
  quietTemporal();
  const requestsPerSecond = options.requestsPerSecond ?? 0;
  const requestsPerDay = options.requestsPerDay ?? 432_000;
  const requestsReservedPerDay = options.requestsReservedPerDay ?? 4_320;
  const testDatabase = await createTestDatabase();
  const { database, asServer, asWorker } = testDatabase;
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  await createNamespace(connection, namespace);
  const temporal = new Client({ connection, namespace });
  const sandbox = await startSandbox({
    // Each file has words, order and forms of its own where the contract gives none, the same in whatever folder it lies.
    seed: hash32(basename(expect.getState().testPath ?? '')),
    answers: 'drawn',
    limitPerSecond: requestsPerSecond,
    completionMinMs: 50,
    completionMaxMs: 200,
    ...options.sandbox,
  });
  const { apiKey, accessKeyId, secretAccessKey } = defaultAccount;
  const accounts = [
    {
      name: 'default',
      apiUrl: (await options.wayTo?.(sandbox.url)) ?? sandbox.url,
      credentials: { apiKey, accessKeyId, secretAccessKey },
      requestsPerSecond,
      requestsPerDay,
      requestsReservedPerDay,
    },
  ];
  const application = createApplication({
    database: asServer,
    temporal,
    accounts,
    now: Date.now,
    settings: {
      decisionWithinMs: DAY_MS,
      windowSizeOf: () => 50,
      referenceMaxAgeMs: DAY_MS,
      referenceTimeoutMs: 30_000,
    },
  });
  const app = buildApp({
    application,
    webhookTokens: { [WEBHOOK_TOKEN]: 'default' },
    webhookHeaders: WEBHOOK_HEADERS,
    log: false,
    version: 'test',
    temporalUiUrl: null,
  });
  const serverUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  await fetch(`${sandbox.url}/__sandbox/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${serverUrl}/webhooks/${WEBHOOK_TOKEN}`, headers: WEBHOOK_HEADERS }),
  });
  const nativeConnection = await NativeConnection.connect({ address: inject('temporalAddress') });
  const startAll = async ({ buildId, bundlePath }: WorkerVersion) => {
    await checkProviders(asWorker, accounts);
    const providers = await openProviderAccounts({
      database: asWorker,
      accounts,
      requestTimeoutMs: 2_000,
      now: Date.now,
      warn: () => undefined,
      ...(options.dayShift === undefined ? {} : { dayShift: options.dayShift }),
    });
    const workers = await startWorkers({
      connection: nativeConnection,
      namespace,
      bundlePath,
      buildId,
      accounts,
      dependencies: {
        database: asWorker,
        provider: (account) => providers.of(account),
        seal: (account) => providers.sealOf(account),
        temporal,
        now: Date.now,
        settings: {
          ...SETTINGS,
          limitOf: () => ({
            perSecond: requestsPerSecond,
            perDay: requestsPerDay,
            reservedPerDay: requestsReservedPerDay,
          }),
          ...options.settings,
        },
      },
    });
    await becomeCurrent({ client: temporal, buildId, accounts: ['default'], always: false });
    return {
      stop: async () => {
        workers.stop();
        await workers.done;
        await providers.close();
      },
    };
  };
  const first = { buildId: 'first', bundlePath: inject('bundlePath') };
  let running = await startAll(first);
  return {
    application,
    database,
    testDatabase,
    temporal,
    sandbox,
    serverUrl,
    maker: await aUser(testDatabase, 'Mia Maker', 'maker'),
    checker: await aUser(testDatabase, 'Chris Checker', 'checker'),
    startVersion: startAll,
    stopWorkers: async () => {
      await running.stop();
      running = { stop: () => Promise.resolve() };
    },
    restartWorkers: async () => {
      await running.stop();
      running = await startAll(first);
    },
    stop: async () => {
      await running.stop();
      await app.close();
      await sandbox.close();
      await nativeConnection.close();
      await connection.close();
      await testDatabase.drop();
    },
  };
}

const SETTINGS = {
  requestTimeoutMs: 2_000,
  visibilityDelayMs: 100,
  confirmationAgeLimitMs: DAY_MS,
  fundsAgeLimitMs: DAY_MS,
  maxFeePercent: 20,
  stateOf: statesOfStatuses(KNOWN_OTHER_STATUSES),
  balanceMaxAgeMs: 30_000,
  referenceMaxAgeMs: DAY_MS,
  sweep: { gapWhileSendingMs: 500, gapWhileIdleMs: 200, shortestUnhintedMs: 1_000, longestUnhintedMs: 2_000 },
  funds: FUNDS_SETTINGS,
};

let quiet = false;

function quietTemporal(): void {
  if (!quiet) Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
  quiet = true;
}

async function createNamespace(connection: Connection, namespace: string): Promise<void> {
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 },
  } as never);
  await ensureSearchAttributes(connection, namespace, searchAttributeTypes());
}

/** Waits until the run is in one of the states. */
export async function untilRun(
  application: Application,
  runId: string,
  ...states: RunSummary['state'][]
): Promise<RunSummary> {
  for (;;) {
    const run = await application.findRun(runId);
    if (run !== null && states.includes(run.state)) return run;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
