import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { createApplication } from '../application/create-application.ts';
import type { ApplicationDependencies, Quotas } from '../application/application-dependencies.ts';
import { resumingLostRuns, startForgottenRuns } from '../application/runs/start-run.ts';
import { eraseUnusedBeneficiaries } from '../application/beneficiaries/edit-book.ts';
import { deleteOldDrafts } from '../application/payment-file/drafts.ts';
import { forgetOldWebhooks } from '../application/webhooks/receive-webhook.ts';
import { applyChanges, notifyPendingRuns } from '../application/runs/notify-runs.ts';
import { startCasePollers } from '../application/onboarding/notify-cases.ts';
import { recordingMissedOccurrences } from '../application/treasury/missed-occurrences.ts';
import { startForgottenOccurrences } from '../application/treasury/start-occurrence.ts';
import { notifyingLateRefunds } from '../application/accounts/notify-late-refunds.ts';
import { syncSchedules } from '../application/treasury/sync-schedules.ts';
import { notifyingShortages } from '../application/treasury/notify-shortages.ts';
import { readConsoleFiles } from '../server/console/console-files.ts';
import { startServer } from '../server/listen.ts';
import { requestIdInterceptor } from '../application/request-id-interceptor.ts';
import { reportMissingKeys } from '../store/personal-data/key-rotation.ts';
import { addPoolMetrics, queryObserver } from '../telemetry/observers.ts';
import { addDatabaseMetrics } from '../telemetry/database-metrics.ts';
import { startingAccountWorkflows } from './account-workflows.ts';
import { codeMailer } from './code-mailer.ts';
import { requireWebhookSecrets } from './webhook-secrets.ts';
import { startServerTelemetry } from './server-telemetry.ts';
import { webhooksPerMinute } from '../server/webhooks/webhook-quota.ts';
import { type WebhookAccount, webhookAccount } from '../server/webhooks/webhook-tokens.ts';
import { openDatabase } from '../store/database/database.ts';
import { SERVER_ROLE } from '../store/database/runtime-role.ts';
import { startAuditChaining } from '../store/audit/audit-chaining.ts';
import { prepareDatabase } from '../store/database/migrate.ts';
import { temporalClient } from '../config/temporal/connect-temporal.ts';
import { DECISION_WITHIN_MS, REFERENCE_MAX_AGE_MS, REFERENCE_TIMEOUT_MS } from '../config/durations.ts';
import { readCalendarOverrides } from '../config/treasury/calendar-file.ts';
import { nationalHolidays } from '../config/treasury/national-holidays.ts';
import { mailServerIn } from '../config/mail-server.ts';
import { companySignInIn } from '../config/company-sign-in.ts';
import { readDocumentRequirements } from '../config/document-requirements.ts';
import { DEFAULT_HTTP_PORT, type Environment } from '../config/environment.ts';
import type { ServerInstallation } from '../config/installation.ts';
import { concurrencyLimitsOf, type ServerAccount } from '../config/account-settings.ts';
import { readAccountsFile } from '../config/accounts-file.ts';
import { serverAccountsIn } from '../config/file-accounts.ts';
import { watchAccounts } from '../config/watch-accounts.ts';
import { webhookTokens } from '../config/webhook-token.ts';
import { VERSION } from '../config/version.ts';

const MAX_CONNECTIONS = 20;
const DAY_MS = 86_400_000;
const MIB = 1_048_576;

/** As `bin/build-console.mjs` builds it. */
const CONSOLE_FOLDER = fileURLToPath(new URL('../dist/console', import.meta.url));

/** Runs the server process until it is told to stop. */
export async function runServer(options: {
  environment: Environment;
  installation: ServerInstallation;
  log: Logger;
  /** For lines that the person who starts payrun should see, besides the log. */
  print: (line: string) => void;
  onReady: (url: string) => void;
  stopSignal: AbortSignal;
}): Promise<void> {
  const { environment, installation, log } = options;
  await prepareDatabase({ databaseUrl: installation.databaseUrl, ownerUrl: installation.ownerDatabaseUrl });
  const { metrics, tracing, observer } = startServerTelemetry(environment);
  const database = openDatabase(installation.databaseUrl, {
    observer: queryObserver(metrics),
    role: SERVER_ROLE,
    maxConnections: MAX_CONNECTIONS,
    applicationName: 'payrun-server',
  });
  await reportMissingKeys(database, installation.dataKeys, options);
  const interceptors = [requestIdInterceptor, ...(tracing?.clientInterceptors ?? [])];
  const temporal = temporalClient(installation.temporal, interceptors);
  const { accounts, home } = installation;
  await requireWebhookSecrets(database, accounts, { unrecorded: 'goes_on' });
  const webhookAccounts = accounts.map((account) => webhookAccountOf(home, account));
  if (environment.PAYRUN_DATABASE_LIMIT_MB === undefined) log.warn(NO_RESERVE);
  const dependencies: ApplicationDependencies = {
    database,
    temporal: temporal.client,
    dataKeys: installation.dataKeys,
    accounts,
    calendars: { overrides: readCalendarOverrides(environment.PAYRUN_CALENDARS ?? null), holidaysOf: nationalHolidays },
    companySignIn: companySignInIn(environment),
    mailCode: codeMailer(mailServerIn(environment)),
    now: Date.now,
    settings: { ...serverSettings(environment, accounts), temporalUiUrl: installation.temporal.uiUrl },
  };
  const application = createApplication(dependencies);
  const chaining = startAuditChaining(database, (message) => log.warn(message));
  addPoolMetrics(metrics, database);
  addDatabaseMetrics(metrics, { database, health: () => application.health() });
  const server = await startServer({
    application,
    ...{ metrics, observer, metricsToken: environment.PAYRUN_METRICS_TOKEN ?? null },
    webhookAccounts,
    log,
    version: VERSION,
    temporalUiUrl: installation.temporal.uiUrl,
    console: readConsoleFiles(CONSOLE_FOLDER),
    publicUrl: environment.PAYRUN_PUBLIC_URL ?? null,
    trustedProxies: environment.PAYRUN_TRUSTED_PROXIES,
    host: environment.PAYRUN_HTTP_HOST,
    port: environment.PAYRUN_HTTP_PORT ?? DEFAULT_HTTP_PORT,
  });
  options.onReady(server.url);
  const chores = startChores(dependencies, (message) => log.warn(message));
  const stopWatching = watchForAccounts(options, async (account) => {
    await requireWebhookSecrets(database, [account], { unrecorded: 'waits' });
    webhookAccounts.push(webhookAccountOf(home, account));
  });
  await untilAborted(options.stopSignal);
  stopWatching();
  chores.stop();
  await server.close();
  await temporal.connection.close();
  await chaining.stop();
  await database.end();
  await tracing?.stop();
}

const NO_RESERVE =
  'PAYRUN_DATABASE_LIMIT_MB is not set: how large the disk of the database is, is not known, so nothing of it is kept for paying, stopping ' +
  'and deciding; watch its free space, or give the limit';

function webhookAccountOf(home: string, account: ServerAccount): WebhookAccount {
  return webhookAccount({
    name: account.name,
    tokens: webhookTokens(home, account),
    headers: account.webhookHeaders,
    perMinute: webhooksPerMinute(account.requestsPerSecond),
  });
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
}

/** `accounts` is the list in force: accounts may be appended to it. */
function serverSettings(
  environment: Environment,
  accounts: readonly ServerAccount[],
): ApplicationDependencies['settings'] {
  return {
    publicUrl: environment.PAYRUN_PUBLIC_URL ?? null,
    decisionWithinMs: DECISION_WITHIN_MS,
    concurrencyLimitOf: concurrencyLimitsOf(accounts),
    documentRequirements: readDocumentRequirements(environment.PAYRUN_DOCUMENT_REQUIREMENTS ?? null),
    unansweredSignUpMs: environment.PAYRUN_SIGN_UP_PAUSE_MS,
    privateHosts: environment.PAYRUN_NOTIFICATION_PRIVATE_HOSTS,
    quotas: quotasIn(environment),
    webhookBytesPerDay: environment.PAYRUN_WEBHOOK_MB_PER_DAY * MIB || null,
    draftMaxAgeMs: environment.PAYRUN_DRAFT_DAYS * DAY_MS,
    referenceMaxAgeMs: REFERENCE_MAX_AGE_MS,
    referenceTimeoutMs: REFERENCE_TIMEOUT_MS,
  };
}

/** 0 lifts a limit. */
function quotasIn(environment: Environment): Quotas {
  const limitMb = environment.PAYRUN_DATABASE_LIMIT_MB ?? null;
  return {
    uploads: {
      uses: environment.PAYRUN_UPLOADS_PER_DAY || null,
      bytes: environment.PAYRUN_UPLOAD_MB_PER_DAY * MIB || null,
    },
    reports: { uses: environment.PAYRUN_REPORTS_PER_DAY || null, bytes: null },
    databaseLimitBytes: limitMb === null ? null : limitMb * MIB,
    databaseReserveBytes: environment.PAYRUN_DATABASE_RESERVE_MB * MIB,
  };
}

/** Receives webhooks of accounts that are added to the accounts file meanwhile. */
function watchForAccounts(
  { environment, installation, log }: { environment: Environment; installation: ServerInstallation; log: Logger },
  receiveWebhooks: (account: ServerAccount) => Promise<void>,
): () => void {
  const { accounts, accountsFile: path } = installation;
  if (path === undefined) return () => undefined;
  const warn = (message: string): void => log.warn(message);
  const onCredential = warningOfCredentials(warn);
  return watchAccounts({
    path,
    accounts,
    read: () => serverAccountsIn(readAccountsFile(path), environment, { onCredential }),
    add: receiveWebhooks,
    info: (message) => log.info(message),
    warn,
  });
}

/**
 * A running server cannot remove a credential of an added account from its environment, and serves the account nevertheless.
 * At the next start the credential is refused.
 */
function warningOfCredentials(warn: (message: string) => void): (variable: string) => void {
  const warned = new Set<string>();
  return (variable) => {
    if (warned.has(variable)) return;
    warned.add(variable);
    warn(`${variable}: this is the provider's, and in the server's environment: remove it and start the server again`);
  };
}

const CHORES_EVERY_MS = 60_000;

/** Work that an outage may have interrupted: done at the start, and every minute. */
function startChores(dependencies: ApplicationDependencies, warn: (message: string) => void): { stop(): void } {
  const chores = [
    { what: 'runs with an interrupted start could not be started', do: startForgottenRuns },
    { what: 'runs without a workflow could not be resumed', do: resumingLostRuns() },
    { what: 'what reads the accounts could not be started', do: startingAccountWorkflows() },
    { what: 'runs could not be notified of their decisions', do: notifyPendingRuns },
    { what: 'due changes could not take effect', do: applyChanges },
    { what: 'pollers of onboarding cases could not be started', do: startCasePollers },
    { what: 'schedules of conversions could not be given to Temporal', do: syncSchedules },
    { what: 'occurrences of schedules could not be started', do: startForgottenOccurrences },
    { what: 'missed occurrences of schedules could not be recorded', do: recordingMissedOccurrences() },
    { what: 'nobody could be notified of money that will be short', do: notifyingShortages() },
    { what: 'nobody could be notified of refunds whose money has not arrived', do: notifyingLateRefunds() },
    { what: 'old webhooks could not be removed', do: forgetOldWebhooks },
    { what: 'old drafts could not be deleted', do: deleteOldDrafts },
    { what: 'unused lines of the book could not be erased', do: eraseUnusedBeneficiaries },
  ];
  const doAll = async (): Promise<void> => {
    for (const chore of chores) {
      await chore.do(dependencies).catch(() => warn(`${chore.what}; retrying in a minute`));
    }
  };
  void doAll();
  const timer = setInterval(() => void doAll(), CHORES_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
