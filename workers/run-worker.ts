import { Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { FUNDS_SETTINGS } from '../domain/runs/funds-schedule.ts';
import { statesOfStatuses } from '../domain/payments/provider-status.ts';
import { sweepSettings } from '../domain/payments/sweep-schedule.ts';
import { type Database, openDatabase } from '../store/database/database.ts';
import { WORKER_ROLE } from '../store/database/database-roles.ts';
import { startAuditSealer } from '../store/audit/audit-sealer.ts';
import { prepareDatabase } from '../store/database/migrate.ts';
import { checkProviders } from './check-provider.ts';
import { temporalClient, workerConnection } from '../config/temporal/connect-temporal.ts';
import {
  BALANCE_MAX_AGE_MS,
  CONFIRMATION_AGE_LIMIT_MS,
  FUNDS_AGE_LIMIT_MS,
  REFERENCE_MAX_AGE_MS,
} from '../config/durations.ts';
import type { Environment } from '../config/environment.ts';
import type { WorkerInstallation } from '../config/installation.ts';
import { openProviderAccounts } from './provider-accounts.ts';
import { registerSearchAttributes } from './register-search-attributes.ts';
import { startWorkers } from './start-worker.ts';
import { temporalLogger } from './temporal-logger.ts';
import { ownBuildId } from './build-id.ts';
import { type VersionChoice, registerVersion } from './versions/register-version.ts';
import { workflowBundle } from './workflow-bundle.ts';

const MAX_CONNECTIONS = 20;

/** Runs the worker process until it is told to stop; what it is at, it finishes. */
export async function runWorker(options: {
  environment: Environment;
  installation: WorkerInstallation;
  cacheDir: string;
  version: VersionChoice;
  log: Logger;
  /** Takes what a person should see besides the log. */
  tell: (line: string) => void;
  onReady: () => void;
  stopSignal: AbortSignal;
}): Promise<void> {
  const { environment, installation, log } = options;
  Runtime.install({ logger: temporalLogger(log), shutdownSignals: [] });
  const [bundlePath] = await Promise.all([
    workflowBundle(options.cacheDir, (line) => log.info(line)),
    prepareDatabase({ databaseUrl: installation.databaseUrl, ownerUrl: installation.ownerDatabaseUrl }),
  ]);
  const database = await openRecord(installation);
  const temporal = temporalClient(installation.temporal);
  await registerSearchAttributes(temporal.connection, installation.temporal.namespace, (message) => log.warn(message));
  const providers = await openProviderAccounts({
    database,
    accounts: installation.accounts,
    requestTimeoutMs: environment.PAYRUN_REQUEST_TIMEOUT_MS,
    now: Date.now,
    warn: (message) => log.warn(message),
  });
  const connection = await workerConnection(installation.temporal);
  const buildId = ownBuildId();
  const sealer = startAuditSealer(database, (message) => log.warn(message));
  const workers = await startWorkers({
    connection,
    namespace: installation.temporal.namespace,
    bundlePath,
    buildId,
    accounts: installation.accounts,
    dependencies: {
      database,
      provider: (account) => providers.of(account),
      seal: (account) => providers.sealOf(account),
      temporal: temporal.client,
      now: Date.now,
      settings: activitySettings(environment, installation),
    },
  });
  options.stopSignal.addEventListener('abort', () => workers.stop());
  if (options.stopSignal.aborted) workers.stop();
  const version = { client: temporal.client, buildId, bundlePath, choice: options.version, now: Date.now };
  const accounts = installation.accounts.map(({ name }) => name);
  const placed = registerVersion({ ...version, accounts, log, tell: options.tell, stopSignal: options.stopSignal })
    .then(({ settled }) => {
      options.onReady();
      return settled;
    })
    .catch(async (error: unknown) => {
      // Nobody knows of these workers, so they must not go on as if they were at work.
      workers.stop();
      await workers.done.catch(() => undefined);
      throw error;
    });
  try {
    await Promise.all([workers.done, placed]);
  } finally {
    await providers.close();
    await connection.close();
    await temporal.connection.close();
    await sealer.stop();
    await database.end();
  }
}

/** The database, once it is known to belong to this worker's provider. */
async function openRecord({ databaseUrl, accounts }: WorkerInstallation): Promise<Database> {
  const pool = { role: WORKER_ROLE, maxConnections: MAX_CONNECTIONS, applicationName: 'payrun-worker' } as const;
  const database = openDatabase(databaseUrl, pool);
  try {
    await checkProviders(database, accounts);
    return database;
  } catch (error) {
    await database.end();
    throw error;
  }
}

function activitySettings(environment: Environment, { accounts }: WorkerInstallation) {
  return {
    requestTimeoutMs: environment.PAYRUN_REQUEST_TIMEOUT_MS,
    visibilityDelayMs: environment.PAYRUN_VISIBILITY_DELAY_MS,
    confirmationAgeLimitMs: CONFIRMATION_AGE_LIMIT_MS,
    fundsAgeLimitMs: FUNDS_AGE_LIMIT_MS,
    maxFeePercent: environment.PAYRUN_MAX_FEE_PERCENT,
    stateOf: statesOfStatuses(environment.PAYRUN_PAYMENT_STATUSES),
    balanceMaxAgeMs: BALANCE_MAX_AGE_MS,
    referenceMaxAgeMs: REFERENCE_MAX_AGE_MS,
    sweep: sweepSettings(environment.PAYRUN_SWEEP_GAP_MS),
    funds: FUNDS_SETTINGS,
    limitOf: (name: string) => {
      const account = accounts.find((candidate) => candidate.name === name);
      return {
        perSecond: account?.requestsPerSecond ?? 0,
        perDay: account?.requestsPerDay ?? 0,
        reservedPerDay: account?.requestsReservedPerDay ?? 0,
      };
    },
  };
}
