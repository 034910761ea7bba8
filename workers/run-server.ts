import type { Logger } from 'pino';
import { createEngine } from '../client/engine/create-engine.ts';
import type { EngineDependencies } from '../client/engine/engine-dependencies.ts';
import { startForgottenRuns } from '../client/engine/start-run.ts';
import { startServer } from '../server/listen.ts';
import { openDatabase } from '../store/database.ts';
import { startAuditSealer } from '../store/audit-sealer.ts';
import { prepareDatabase } from '../store/migrate.ts';
import { adminToken } from './admin-token.ts';
import { temporalClient } from './connect-temporal.ts';
import { DECISION_WITHIN_MS, REFERENCE_MAX_AGE_MS, REFERENCE_TIMEOUT_MS, windowSizesOf } from './durations.ts';
import type { Environment } from './environment.ts';
import type { ServerInstallation } from './installation.ts';
import { webhookToken } from './webhook-token.ts';
import { VERSION } from './version.ts';

const MAX_CONNECTIONS = 20;
export const DEFAULT_PORT = 8_700;

/** Runs the server process until it is told to stop. */
export async function runServer(options: {
  environment: Environment;
  installation: ServerInstallation;
  log: Logger;
  onReady: (url: string) => void;
  stopSignal: AbortSignal;
}): Promise<void> {
  const { environment, installation, log } = options;
  await prepareDatabase({ databaseUrl: installation.databaseUrl, ownerUrl: installation.ownerDatabaseUrl });
  const database = openDatabase(installation.databaseUrl, {
    maxConnections: MAX_CONNECTIONS,
    applicationName: 'payrun-server',
  });
  const temporal = temporalClient(installation.temporal);
  const account = installation.accounts[0]?.name ?? 'default';
  const windowSizeOf = windowSizesOf(installation.accounts);
  const dependencies: EngineDependencies = {
    database,
    temporal: temporal.client,
    accounts: installation.accounts,
    now: Date.now,
    settings: {
      decisionWithinMs: DECISION_WITHIN_MS,
      windowSize: windowSizeOf(account),
      referenceMaxAgeMs: REFERENCE_MAX_AGE_MS,
      referenceTimeoutMs: REFERENCE_TIMEOUT_MS,
    },
  };
  const engine = createEngine(dependencies);
  const sealer = startAuditSealer(database, (message) => log.warn(message));
  await adminToken(installation.home, engine);
  const server = await startServer({
    engine,
    webhookTokens: { [webhookToken(installation.home, environment.PAYRUN_WEBHOOK_TOKEN)]: account },
    webhookHeaders: environment.PAYRUN_WEBHOOK_HEADERS ?? {},
    log,
    version: VERSION,
    temporalUiUrl: installation.temporal.uiUrl,
    host: environment.PAYRUN_HTTP_HOST,
    port: environment.PAYRUN_HTTP_PORT ?? DEFAULT_PORT,
  });
  options.onReady(server.url);
  startForgottenRuns(dependencies).catch(() =>
    log.warn('runs whose start was cut off could not be started; they will be at the next start'),
  );
  await new Promise<void>((resolve) => {
    if (options.stopSignal.aborted) resolve();
    options.stopSignal.addEventListener('abort', () => resolve());
  });
  await server.close();
  await temporal.connection.close();
  await sealer.stop();
  await database.end();
}
