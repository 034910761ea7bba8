import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTemporal } from '../../local/embedded/find-temporal.ts';
import { startPostgres } from '../../local/embedded/postgres-server.ts';
import { payrunCacheDir } from '../../local/embedded/temporal-cache.ts';
import { startTemporal } from '../../local/embedded/temporal-server.ts';

/** Where the tests' Postgres and Temporal are. */
export interface Services {
  /** Of the database's owner. */
  databaseUrl: string;
  /** Of the logins of the server and the worker. */
  serverDatabaseUrl: string;
  workerDatabaseUrl: string;
  temporalAddress: string;
}

/** Those that run already, as JSON: whoever runs many tests one after the other starts them once. */
export const TEST_SERVICES = 'TEST_SERVICES';

export interface RunningServices {
  services: Services;
  stop(): Promise<void>;
}

/** Starts Postgres and Temporal in a folder of their own, which is gone once they are stopped. */
export async function startServices(report: (line: string) => void): Promise<RunningServices> {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-services-'));
  // As root, Postgres runs under a user of its own, who must be able to enter.
  chmodSync(folder, 0o755);
  const cacheDir = payrunCacheDir(process.env);
  const temporalCli = process.env['PAYRUN_TEMPORAL_CLI'];
  const found = await findTemporal({ env: process.env, cacheDir, temporalCli, report });
  if (found.kind !== 'binary') throw new Error('the tests start a Temporal server of their own');
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
