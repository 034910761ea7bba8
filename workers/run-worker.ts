import type { Client } from '@temporalio/client';
import { Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { type Database, openDatabase } from '../store/database/database.ts';
import { WORKER_ROLE } from '../store/database/runtime-role.ts';
import { startAuditChaining } from '../store/audit/audit-chaining.ts';
import { prepareDatabase } from '../store/database/migrate.ts';
import { reportMissingKeys } from '../store/personal-data/key-rotation.ts';
import { activitySettings, planSettings } from './activity-settings.ts';
import { checkProviders } from './check-provider.ts';
import { temporalClient, workerConnection } from '../config/temporal/connect-temporal.ts';
import { identityIssuerIn } from '../config/company-sign-in.ts';
import { readAccountsFile } from '../config/accounts-file.ts';
import type { Environment } from '../config/environment.ts';
import { providerAccountsIn } from '../config/file-accounts.ts';
import { watchAccounts } from '../config/watch-accounts.ts';
import type { WorkerInstallation } from '../config/installation.ts';
import { openProviderAccounts, type ProviderAccounts } from './provider-accounts.ts';
import { startIdentityKeyWatch } from './identity-key-watch.ts';
import { startAuditExport } from './audit-export.ts';
import { startConversionWatch } from './conversion-watch.ts';
import { startNotificationWatch } from './notification-watch.ts';
import { startReferenceRatesWatch } from './reference-rates-watch.ts';
import { registerSearchAttributes } from './register-search-attributes.ts';
import { serveAccount } from './serve-account.ts';
import { type RunningWorkers, startWorkers } from './start-worker.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { queryObserver } from '../telemetry/observers.ts';
import { temporalLogger } from './temporal-logger.ts';
import { startWorkerTelemetry } from './worker-telemetry.ts';
import { ownBuildId } from './build-id.ts';
import { type VersionChoice, registerVersion } from './versions/register-version.ts';
import { workflowBundle } from './workflow-bundle.ts';

const MAX_CONNECTIONS = 20;

/** Runs the worker process until the stop signal; tasks in progress are finished first. */
export async function runWorker(options: {
  environment: Environment;
  installation: WorkerInstallation;
  cacheDir: string;
  version: VersionChoice;
  log: Logger;
  /** For lines that the person who starts payrun should see, besides the log. */
  print: (line: string) => void;
  onReady: () => void;
  stopSignal: AbortSignal;
}): Promise<void> {
  const { environment, installation, log } = options;
  const buildId = ownBuildId();
  const telemetry = await startWorkerTelemetry(environment, { buildId, log });
  Runtime.install({ logger: temporalLogger(log), shutdownSignals: [], telemetryOptions: telemetry.telemetryOptions });
  const [bundlePath] = await Promise.all([
    workflowBundle(options.cacheDir, (line) => log.info(line)),
    prepareDatabase({ databaseUrl: installation.databaseUrl, ownerUrl: installation.ownerDatabaseUrl }),
  ]);
  const database = await openProviderDatabase(options, telemetry.metrics);
  const temporal = temporalClient(installation.temporal, telemetry.tracing?.clientInterceptors);
  await telemetry.show({ database, temporal: temporal.client, accounts: installation.accounts });
  await registerSearchAttributes(temporal.connection, installation.temporal.namespace, (message) => log.warn(message));
  const providers = await openAccounts(options, { database, metrics: telemetry.metrics });
  const connection = await workerConnection(installation.temporal);
  const chaining = startAuditChaining(database, (message) => log.warn(message));
  const workers = await startWorkers({
    connection,
    namespace: installation.temporal.namespace,
    bundlePath,
    buildId,
    accounts: installation.accounts,
    activityInterceptors: telemetry.activityInterceptors,
    dependencies: {
      ...{ database, temporal: temporal.client, now: Date.now, monotonicNow: () => performance.now() },
      dataKeys: installation.dataKeys,
      provider: (account) => providers.of(account),
      macOf: (account) => providers.macOf(account),
      settings: activitySettings(environment, installation.accounts),
    },
  });
  const watches = startWatches(options, database, temporal.client);
  const stopWatching = watchForAccounts(options, { database, providers, workers });
  onAbort(options.stopSignal, () => {
    stopWatching();
    workers.stop();
  });
  const registration = registerVersion({
    client: temporal.client,
    buildId,
    bundlePath,
    accounts: installation.accounts.map(({ name }) => name),
    choice: options.version,
    log,
    print: options.print,
    now: Date.now,
    stopSignal: options.stopSignal,
  });
  try {
    await Promise.all([workers.done, readyOrStopped(workers, registration, options.onReady)]);
  } finally {
    stopWatching();
    await watches.stop();
    await providers.close();
    await connection.close();
    await temporal.connection.close();
    await chaining.stop();
    await database.end();
    await telemetry.stop();
  }
}

function openAccounts(
  { environment, installation, log }: Pick<Parameters<typeof runWorker>[0], 'environment' | 'installation' | 'log'>,
  { database, metrics }: { database: Database; metrics: Metrics },
): Promise<ProviderAccounts> {
  return openProviderAccounts({
    ...{ database, metrics },
    accounts: installation.accounts,
    requestTimeoutMs: environment.PAYRUN_REQUEST_TIMEOUT_MS,
    now: Date.now,
    warn: (message) => log.warn(message),
  });
}

/** Wakes workflows that have something to do, whoever did not tell them. */
function startWatches(
  { environment, log }: { environment: Environment; log: Logger },
  database: Database,
  temporal: Client,
): { stop(): Promise<void> } {
  const warn = (message: string): void => log.warn(message);
  const issuer = identityIssuerIn(environment);
  const { PAYRUN_REFERENCE_RATES: rates } = environment;
  const watches = [
    startNotificationWatch({ database, temporal, settings: planSettings(environment), warn }),
    startConversionWatch({ database, temporal, warn }),
    ...auditExports(environment, database, warn),
    ...(issuer === null ? [] : [startIdentityKeyWatch({ database, issuer, warn })]),
    ...(rates === undefined ? [] : [startReferenceRatesWatch({ database, path: rates, warn })]),
  ];
  return {
    stop: async () => {
      for (const watch of watches) await watch.stop();
    },
  };
}

function auditExports(
  { PAYRUN_AUDIT_EXPORT: to, PAYRUN_AUDIT_EXPORT_TOKEN: token }: Environment,
  database: Database,
  warn: (message: string) => void,
): { stop(): Promise<void> }[] {
  if (to === undefined) return [];
  const destination = to.startsWith('http') ? { url: to, token: token ?? null } : { folder: to };
  return [startAuditExport({ database, destination, warn })];
}

function onAbort(signal: AbortSignal, stop: () => void): void {
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
}

/** Serves accounts that are added to the accounts file meanwhile. */
function watchForAccounts(
  { environment, installation, log }: { environment: Environment; installation: WorkerInstallation; log: Logger },
  { database, providers, workers }: { database: Database; providers: ProviderAccounts; workers: RunningWorkers },
): () => void {
  const { accounts, accountsFile: path } = installation;
  if (path === undefined) return () => undefined;
  return watchAccounts({
    path,
    accounts,
    read: () => providerAccountsIn(readAccountsFile(path), environment),
    add: async (account) => {
      await checkProviders(database, [account]);
      await serveAccount(account, { providers, workers });
    },
    info: (message) => log.info(message),
    warn: (message) => log.warn(message),
  });
}

/** If the registration fails, the workers stop: they would run without getting any task. */
async function readyOrStopped(
  workers: RunningWorkers,
  registration: ReturnType<typeof registerVersion>,
  onReady: () => void,
): Promise<void> {
  try {
    const { migrated } = await registration;
    onReady();
    await migrated;
  } catch (error) {
    workers.stop();
    await workers.done.catch(() => undefined);
    throw error;
  }
}

/** Opens the database, checks that it belongs to this worker's provider, and says which data keys are missing. */
async function openProviderDatabase(
  {
    installation: { databaseUrl, accounts, dataKeys },
    ...report
  }: Pick<Parameters<typeof runWorker>[0], 'installation' | 'log' | 'print'>,
  metrics: Metrics,
): Promise<Database> {
  const pool = { role: WORKER_ROLE, maxConnections: MAX_CONNECTIONS, applicationName: 'payrun-worker' } as const;
  const database = openDatabase(databaseUrl, { ...pool, observer: queryObserver(metrics) });
  try {
    await checkProviders(database, accounts);
    await reportMissingKeys(database, dataKeys, report);
    return database;
  } catch (error) {
    await database.end();
    throw error;
  }
}
