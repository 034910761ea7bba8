import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { findTemporal } from '../../local/embedded/find-temporal.ts';
import { startPostgres } from '../../local/embedded/postgres-server.ts';
import { payrunCacheDir } from '../../local/embedded/temporal-cache.ts';
import { startTemporal } from '../../local/embedded/temporal-server.ts';
import { newFolderInMemory } from './folder-in-memory.ts';

/** The addresses of the tests' Postgres and Temporal. */
export interface Services {
  /** Logs in as the database's owner. */
  databaseUrl: string;
  /** Log in as the server and as the worker. */
  serverDatabaseUrl: string;
  workerDatabaseUrl: string;
  temporalAddress: string;
}

/** The variable with running services as JSON, for callers that run many tests and start the services once. */
export const TEST_SERVICES = 'TEST_SERVICES';

export interface RunningServices {
  services: Services;
  stop(): Promise<void>;
}

/** Starts Postgres and Temporal in a new folder, which is deleted when they are stopped. */
export async function startServices(report: (line: string) => void): Promise<RunningServices> {
  const folder = newFolderInMemory('services');
  const cacheDir = payrunCacheDir(process.env);
  const temporalCli = process.env['PAYRUN_TEMPORAL_CLI'];
  const found = await findTemporal({ env: process.env, cacheDir, temporalCli, report });
  if (found.kind !== 'binary') throw new Error('the tests start their own Temporal server');
  const [postgres, temporal] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'postgres'), report }),
    startTemporal({
      binary: found.binary,
      dataDir: join(folder, 'temporal'),
      namespace: 'default',
      searchAttributes: {},
      report,
    }),
  ]);
  return {
    services: {
      databaseUrl: postgres.url,
      serverDatabaseUrl: postgres.serverUrl,
      workerDatabaseUrl: postgres.workerUrl,
      temporalAddress: temporal.address,
    },
    stop: async () => {
      await Promise.all([temporal.stop(), postgres.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
