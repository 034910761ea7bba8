import { TEST_CALENDARS } from './test-calendars.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Tracing } from '../../telemetry/tracing.ts';
import { measuredActivities } from '../../workers/measured-activities.ts';
import { TEST_DATA_KEYS } from './test-data-keys.ts';
import type { Client } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import type { ActivitySettings } from '../../activities/dependencies.ts';
import type { ProviderAccount } from '../../config/account-settings.ts';
import { RECEIPT_SETTINGS } from '../../domain/accounts/receipt-schedule.ts';
import { HISTORY_SETTINGS } from '../../domain/accounts/history-schedule.ts';
import { KNOWN_EXTRA_STATUSES, stateByStatus } from '../../domain/payments/provider-status.ts';
import { FUNDS_SETTINGS } from '../../domain/runs/funds-schedule.ts';
import type { Database } from '../../store/database/database.ts';
import type { DayShift } from '../../store/rate-limiter/request-leases.ts';
import { checkProviders } from '../../workers/check-provider.ts';
import { openProviderAccounts } from '../../workers/provider-accounts.ts';
import { serveAccount } from '../../workers/serve-account.ts';
import { startWorkers } from '../../workers/start-worker.ts';
import { becomeCurrent } from '../../workers/versions/become-current.ts';

const DAY_MS = 86_400_000;

export interface WorkerVersion {
  buildId: string;
  /** The bundle of its workflows. */
  bundlePath: string;
}

export interface TestWorkers {
  /** Serves another account, as a running worker does when it is added to the accounts file. */
  add(account: ProviderAccount): Promise<void>;
  stop(): Promise<void>;
}

/** What the workers of a test connect to, and the settings that differ from the defaults of the tests. */
export interface TestWorkersOptions {
  connection: NativeConnection;
  temporal: Client;
  database: Database;
  account: ProviderAccount;
  settings?: Partial<ActivitySettings>;
  dayShift?: () => DayShift;
  /** Measures and traces what the workers do. */
  observed?: { metrics: Metrics; tracing: Tracing };
}

/** Starts the workers of one version in this process and makes the version current. */
export async function startTestWorkers(
  { connection, temporal, database, account, settings, dayShift, observed }: TestWorkersOptions,
  { buildId, bundlePath }: WorkerVersion,
): Promise<TestWorkers> {
  const accounts = [account];
  await checkProviders(database, accounts);
  const providers = await openProviderAccounts({
    database,
    accounts,
    requestTimeoutMs: 2_000,
    now: Date.now,
    warn: () => undefined,
    metrics: observed?.metrics,
    ...(dayShift === undefined ? {} : { dayShift }),
  });
  const workers = await startWorkers({
    connection,
    namespace: temporal.options.namespace,
    bundlePath,
    buildId,
    accounts,
    ...(observed === undefined ? {} : { activityInterceptors: measuredActivities(observed.metrics, observed.tracing) }),
    dependencies: {
      database,
      provider: (name) => providers.of(name),
      macOf: (name) => providers.macOf(name),
      temporal,
      dataKeys: TEST_DATA_KEYS,
      now: Date.now,
      monotonicNow: () => performance.now(),
      settings: {
        ...SETTINGS,
        limitOf: () => ({
          perSecond: account.requestsPerSecond,
          perDay: account.requestsPerDay,
          reservedPerDay: account.requestsReservedPerDay,
        }),
        ...settings,
      },
    },
  });
  await becomeCurrent({ client: temporal, buildId, accounts: [account.name], always: false });
  return {
    add: async (added) => {
      await checkProviders(database, [added]);
      await serveAccount(added, { providers, workers });
    },
    stop: async () => {
      workers.stop();
      await workers.done;
      await providers.close();
    },
  };
}

const SETTINGS = {
  receipts: { ...RECEIPT_SETTINGS, listEveryMs: 200 },
  requestTimeoutMs: 2_000,
  visibilityDelayMs: 100,
  confirmationAgeLimitMs: DAY_MS,
  fundsAgeLimitMs: DAY_MS,
  stateOf: stateByStatus(KNOWN_EXTRA_STATUSES),
  balanceMaxAgeMs: 30_000,
  referenceMaxAgeMs: DAY_MS,
  poll: { gapWhileSendingMs: 500, gapWhileIdleMs: 200, minGapWithoutWebhookMs: 1_000, maxGapWithoutWebhookMs: 2_000 },
  funds: FUNDS_SETTINGS,
  history: { ...HISTORY_SETTINGS, waitingEveryMs: 5_000 },
  onboarding: {
    poll: { firstMs: 500, maxMs: 2_000 },
    reminderMs: DAY_MS,
    providerReminderMs: DAY_MS,
    undecidedMs: 30 * DAY_MS,
    ageLimitMs: 30 * DAY_MS,
    unknownPauseMs: 200,
  },
  treasury: {
    referenceRates: () => Promise.resolve(null),
    mayTakeEffectMs: 1_000,
    firstPauseMs: 100,
    maxPauseMs: 500,
    creditAgeLimitMs: DAY_MS,
    completionAgeLimitMs: DAY_MS,
  },
  schedules: { calendars: TEST_CALENDARS, catchUpMs: 600_000, orderLifetimeMs: 3_600_000 },
  notifications: {
    schedule: { delaysMs: [50], giveUpAfterMs: DAY_MS },
    webhooks: { timeoutMs: 2_000, privateHosts: ['127.0.0.1'] },
    mail: null,
  },
};
