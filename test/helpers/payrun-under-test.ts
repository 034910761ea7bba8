import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { DEFAULT_DOCUMENT_REQUIREMENTS } from '../../domain/onboarding/document-requirements.ts';
import { TEST_CALENDARS } from './test-calendars.ts';
import { TEST_DATA_KEYS } from './test-data-keys.ts';
import { callInterceptors } from '../../config/temporal/call-interceptors.ts';
import { expect, inject } from 'vitest';
import type { ActivitySettings } from '../../activities/dependencies.ts';
import type { ProviderAccount } from '../../config/account-settings.ts';
import { createApplication } from '../../application/create-application.ts';
import type { RunSummary } from '../../api/runs/run.ts';
import type { Application } from '../../application/create-application.ts';
import { hash32 } from '../../sandbox/core/seeded-random.ts';
import type { SandboxOptions } from '../../sandbox/config/options.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/server.ts';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import { buildApp } from '../../server/app.ts';
import { webhookAccount } from '../../server/webhooks/webhook-tokens.ts';
import type { Database } from '../../store/database/database.ts';
import type { DayShift } from '../../store/rate-limiter/request-leases.ts';
import { ensureSearchAttributes, searchAttributeTypes } from '../../config/temporal/search-attributes.ts';
import { requestIdInterceptor } from '../../application/request-id-interceptor.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { queryObserver } from '../../telemetry/observers.ts';
import type { Tracing } from '../../telemetry/tracing.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { until } from './until.ts';
import { aUser, type TestUser } from './users.ts';
import { startTestWorkers, type TestWorkers, type WorkerVersion } from './workers-under-test.ts';

const WEBHOOK_TOKEN = 'webhook-token-of-the-tests';

/** The headers that the sandbox sends with webhooks and the server requires. */
export const WEBHOOK_HEADERS = { 'x-payrun-webhook': 'webhook-header-of-the-tests' };
const DAY_MS = 86_400_000;

export interface PayrunUnderTest {
  application: Application;
  /** Connects as the owner, for set-up and assertions. The application and the workers connect with their own roles. */
  database: Database;
  testDatabase: TestDatabase;
  temporal: Client;
  sandbox: RunningSandbox;
  serverUrl: string;
  maker: TestUser;
  checker: TestUser;
  /** Stops the workers and starts them again, as a deployment does. */
  restartWorkers(): Promise<void>;
  /** Starts workers of another version beside the running ones; the caller stops them. */
  startVersion(version: WorkerVersion): Promise<TestWorkers>;
  /** Adds another account of the provider to the running workers and the application. */
  addAccount(account: ProviderAccount): Promise<void>;
  /** Stops the workers until `restartWorkers`. */
  stopWorkers(): Promise<void>;
  stop(): Promise<void>;
}

/** How a test's payrun differs from the others. */
export interface PayrunOptions {
  sandbox?: Partial<SandboxOptions>;
  settings?: Partial<ActivitySettings>;
  /** When banks do business, as the server has it; a worker has it in its settings. */
  calendars?: ActivitySettings['schedules']['calendars'];
  /** Of another caller than the sandbox's first, whose record would be a sandbox's. */
  credentials?: ProviderAccount['credentials'];
  /** The provider's path to read requests for virtual accounts by; absent: it does not let them be read. */
  virtualAccountRequestPath?: string;
  requestsPerSecond?: number;
  requestsPerDay?: number;
  requestsReservedPerDay?: number;
  /** Shifts the day that requests are counted in. */
  dayShift?: () => DayShift;
  /** How many payments of a run may be begun and unsent. */
  concurrencyLimitOf?: () => number;
  /** Starts a proxy between payrun and the sandbox: takes the sandbox's URL and returns its own. */
  startProxy?: (sandboxUrl: string) => Promise<string>;
  /** Measures and traces all of it. */
  observed?: { server: Metrics; worker: Metrics; tracing: Tracing };
}

/** All of payrun in this process, on the shared Postgres and Temporal, with its own sandbox. */
export async function startPayrun(options: PayrunOptions = {}): Promise<PayrunUnderTest> {
  silenceTemporal();
  const { observed } = options;
  const testDatabase = await createTestDatabase({
    // Its worker records it.
    provider: 'none',
    ...(observed === undefined
      ? {}
      : { server: queryObserver(observed.server), worker: queryObserver(observed.worker) }),
  });
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const connection = await Connection.connect({
    address: inject('temporalAddress'),
    interceptors: callInterceptors(),
  });
  await createNamespace(connection, namespace);
  const workflow = [requestIdInterceptor, ...(observed?.tracing.clientInterceptors ?? [])];
  const temporal = new Client({ connection, namespace, interceptors: { workflow } });
  const sandbox = await startTestSandbox(options);
  const account = accountOf(options, (await options.startProxy?.(sandbox.url)) ?? sandbox.url);
  const accounts = [account];
  const application = createApplication({
    database: testDatabase.asServer,
    temporal,
    dataKeys: TEST_DATA_KEYS,
    accounts,
    calendars: options.calendars ?? TEST_CALENDARS,
    now: Date.now,
    settings: {
      decisionWithinMs: DAY_MS,
      concurrencyLimitOf: options.concurrencyLimitOf ?? (() => 50),
      documentRequirements: DEFAULT_DOCUMENT_REQUIREMENTS,
      unansweredSignUpMs: options.settings?.onboarding?.unknownPauseMs ?? 200,
      privateHosts: ['127.0.0.1'],
      scheduleJitterMs: 0,
      referenceMaxAgeMs: DAY_MS,
      referenceTimeoutMs: 30_000,
      temporalUiUrl: 'http://127.0.0.1:8233',
    },
  });
  const { app, serverUrl } = await startTestServer(application);
  await sendWebhooks(sandbox, serverUrl);
  const nativeConnection = await NativeConnection.connect({ address: inject('temporalAddress') });
  const startVersion = (version: WorkerVersion) =>
    startTestWorkers(
      {
        connection: nativeConnection,
        temporal,
        database: testDatabase.asWorker,
        account,
        ...(options.settings === undefined ? {} : { settings: options.settings }),
        ...(options.dayShift === undefined ? {} : { dayShift: options.dayShift }),
        ...(observed === undefined ? {} : { observed: { metrics: observed.worker, tracing: observed.tracing } }),
      },
      version,
    );
  const first = { buildId: 'first', bundlePath: inject('bundlePath') };
  let running: Pick<TestWorkers, 'stop'> & Partial<TestWorkers> = await startVersion(first);
  return {
    application,
    database: testDatabase.database,
    testDatabase,
    temporal,
    sandbox,
    serverUrl,
    maker: await aUser(testDatabase, 'Mia Maker', 'maker'),
    checker: await aUser(testDatabase, 'Chris Checker', 'checker'),
    startVersion,
    addAccount: async (added) => {
      await running.add?.(added);
      accounts.push(added);
    },
    stopWorkers: async () => {
      await running.stop();
      running = { stop: () => Promise.resolve() };
    },
    restartWorkers: async () => {
      await running.stop();
      running = await startVersion(first);
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

function startTestSandbox({ requestsPerSecond, sandbox }: PayrunOptions): Promise<RunningSandbox> {
  return startSandbox({
    // The contract leaves wording, order and forms open. Each test file gets its own choice, whatever folder it is in.
    seed: hash32(basename(expect.getState().testPath ?? '')),
    answers: 'seeded',
    limitPerSecond: requestsPerSecond ?? 0,
    completionMinMs: 50,
    completionMaxMs: 200,
    ...sandbox,
  });
}

function accountOf(options: PayrunOptions, apiUrl: string): ProviderAccount {
  const { apiKey, accessKeyId, secretAccessKey } = options.credentials ?? defaultAccount;
  return {
    name: 'default',
    apiUrl,
    credentials: { apiKey, accessKeyId, secretAccessKey },
    ...(options.virtualAccountRequestPath === undefined
      ? {}
      : { variant: { virtualAccountRequestPath: options.virtualAccountRequestPath } }),
    requestsPerSecond: options.requestsPerSecond ?? 0,
    requestsPerDay: options.requestsPerDay ?? 432_000,
    requestsReservedPerDay: options.requestsReservedPerDay ?? 4_320,
  };
}

async function startTestServer(application: Application) {
  const app = buildApp({
    application,
    webhookAccounts: [
      webhookAccount({ name: 'default', tokens: [WEBHOOK_TOKEN], headers: WEBHOOK_HEADERS, perMinute: 60_000 }),
    ],
    log: false,
    version: 'test',
    temporalUiUrl: null,
  });
  return { app, serverUrl: await app.listen({ host: '127.0.0.1', port: 0 }) };
}

async function sendWebhooks(sandbox: RunningSandbox, serverUrl: string): Promise<void> {
  await fetch(`${sandbox.url}/__sandbox/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${serverUrl}/webhooks/${WEBHOOK_TOKEN}`, headers: WEBHOOK_HEADERS }),
  });
}

let isSilent = false;

function silenceTemporal(): void {
  if (!isSilent) Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
  isSilent = true;
}

async function createNamespace(connection: Connection, namespace: string): Promise<void> {
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 },
  } as never);
  await ensureSearchAttributes(connection, namespace, searchAttributeTypes());
}

/** Waits until the run is in one of the states. */
export function untilRun(
  application: Application,
  runId: string,
  ...states: RunSummary['state'][]
): Promise<RunSummary> {
  return until(async () => {
    const run = await application.findRun(runId);
    return run !== null && states.includes(run.state) && run;
  });
}
