import { Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { SWEEP_DEFAULTS } from '../domain/sweep-schedule.ts';
import { openDatabase } from '../store/database.ts';
import { migrate } from '../store/migrate.ts';
import { temporalClient, workerConnection } from './connect-temporal.ts';
import { BALANCE_MAX_AGE_MS, CONFIRMATION_AGE_LIMIT_MS, REFERENCE_MAX_AGE_MS } from './durations.ts';
import type { Environment } from './environment.ts';
import type { Installation } from './installation.ts';
import { openProviderAccounts } from './provider-accounts.ts';
import { registerSearchAttributes } from './register-search-attributes.ts';
import { startWorkers } from './start-worker.ts';
import { temporalLogger } from './temporal-logger.ts';
import { workflowBundle } from './workflow-bundle.ts';

const MAX_CONNECTIONS = 20;

/** Runs the worker process until it is told to stop; what it is at, it finishes. */
export async function runWorker(options: {
  environment: Environment;
  installation: Installation;
  cacheDir: string;
  log: Logger;
  onReady: () => void;
  stopSignal: AbortSignal;
}): Promise<void> {
  const { environment, installation, log } = options;
  Runtime.install({ logger: temporalLogger(log), shutdownSignals: [] });
  const [bundlePath] = await Promise.all([
    workflowBundle(options.cacheDir, (line) => log.info(line)),
    migrate(installation.databaseUrl),
  ]);
  const database = openDatabase(installation.databaseUrl, {
    maxConnections: MAX_CONNECTIONS,
    applicationName: 'payrun-worker',
  });
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
  const workers = await startWorkers({
    connection,
    namespace: installation.temporal.namespace,
    bundlePath,
    accounts: installation.accounts,
    dependencies: {
      database,
      provider: (account) => providers.of(account),
      temporal: temporal.client,
      now: Date.now,
      settings: activitySettings(environment, installation),
    },
  });
  options.stopSignal.addEventListener('abort', () => workers.stop());
  if (options.stopSignal.aborted) workers.stop();
  options.onReady();
  try {
    await workers.done;
  } finally {
    await providers.close();
    await connection.close();
    await temporal.connection.close();
    await database.end();
  }
}

function activitySettings(environment: Environment, { accounts }: Installation) {
  return {
    requestTimeoutMs: environment.PAYRUN_REQUEST_TIMEOUT_MS,
    settleMs: environment.PAYRUN_SETTLE_MS,
    confirmationAgeLimitMs: CONFIRMATION_AGE_LIMIT_MS,
    maxFeePercent: environment.PAYRUN_MAX_FEE_PERCENT,
    balanceMaxAgeMs: BALANCE_MAX_AGE_MS,
    referenceMaxAgeMs: REFERENCE_MAX_AGE_MS,
    sweep: SWEEP_DEFAULTS,
    limitOf: (name: string) => {
      const account = accounts.find((candidate) => candidate.name === name);
      return { perSecond: account?.requestsPerSecond ?? 0, perDay: account?.requestsPerDay ?? 0 };
    },
  };
}
