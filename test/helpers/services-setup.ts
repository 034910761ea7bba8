import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findTemporal } from '../../workers/embedded/find-temporal.ts';
import { startPostgres } from '../../workers/embedded/postgres-server.ts';
import { payrunCacheDir } from '../../workers/embedded/temporal-cache.ts';
import { startTemporal } from '../../workers/embedded/temporal-server.ts';
import { workflowBundle } from '../../workers/workflow-bundle.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the database's owner. */
    databaseUrl: string;
    /** Of the logins of the server and the worker. */
    serverDatabaseUrl: string;
    workerDatabaseUrl: string;
    temporalAddress: string;
    bundlePath: string;
  }
}

/** Starts Postgres and Temporal once for all files; each file takes a database and a namespace of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-services-'));
  // As root, Postgres runs under a user of its own, who must be able to enter.
  chmodSync(folder, 0o755);
  const report = (line: string): void => console.error(line);
  const cacheDir = payrunCacheDir(process.env);
  const found = await findTemporal({
    env: process.env,
    cacheDir,
    temporalCli: process.env['PAYRUN_TEMPORAL_CLI'],
    report,
  });
  if (found.kind !== 'binary') throw new Error('the tests start a Temporal server of their own');
  const [postgres, temporal, bundlePath] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'postgres'), report }),
    startTemporal({
      binary: found.binary,
      dataDir: join(folder, 'temporal'),
      namespace: 'default',
      searchAttributes: {},
      report,
    }),
    workflowBundle(cacheDir, report),
  ]);
  project.provide('databaseUrl', postgres.url);
  project.provide('serverDatabaseUrl', postgres.serverUrl);
  project.provide('workerDatabaseUrl', postgres.workerUrl);
  project.provide('temporalAddress', temporal.address);
  project.provide('bundlePath', bundlePath);
  return async () => {
    await Promise.all([temporal.stop(), postgres.stop()]);
    rmSync(folder, { recursive: true, force: true });
  };
}
