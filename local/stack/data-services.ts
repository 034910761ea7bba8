import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { emptyDatabase, prepareDatabase } from '../../store/database/migrate.ts';
import { findTemporal } from '../embedded/find-temporal.ts';
import { startPostgres } from '../embedded/postgres-server.ts';
import type { Supervisor } from '../embedded/supervisor.ts';
import { payrunCacheDir } from '../embedded/temporal-cache.ts';
import { startTemporal } from '../embedded/temporal-server.ts';
import { searchAttributeTypes } from '../../config/temporal/search-attributes.ts';
import type { StackOptions } from './stack-options.ts';

/** The database as the role of each kind of process, and Temporal. */
export interface DataServices {
  serverDatabaseUrl: string;
  workerDatabaseUrl: string;
  isDatabaseEmbedded: boolean;
  temporalAddress: string;
  temporalUiUrl?: string;
  isTemporalEmbedded: boolean;
}

/** Starts Postgres and Temporal in parallel: the configured ones, else embedded ones. */
export async function startDataServices(
  options: StackOptions,
  supervisor: Supervisor,
): Promise<DataServices & { ownerUrl: string }> {
  const temporalFolder = join(options.home, 'temporal');
  if (options.fresh === true) rmSync(temporalFolder, { recursive: true, force: true });
  const [{ ownerUrl, ...databases }, temporal] = await Promise.all([
    startDatabase(options, supervisor),
    startTemporalService(options, supervisor),
  ]);
  const { serverDatabaseUrl } = databases;
  if (options.fresh === true) await emptyDatabase(ownerUrl ?? serverDatabaseUrl);
  await prepareDatabase({ databaseUrl: serverDatabaseUrl, ownerUrl, isAlone: true });
  return { ...databases, ...temporal, ownerUrl: ownerUrl ?? serverDatabaseUrl };
}

async function startDatabase(
  { home, environment, report }: StackOptions,
  supervisor: Supervisor,
): Promise<
  Pick<DataServices, 'serverDatabaseUrl' | 'workerDatabaseUrl' | 'isDatabaseEmbedded'> & {
    ownerUrl: string | undefined;
  }
> {
  const { DATABASE_URL: databaseUrl, PAYRUN_OWNER_DATABASE_URL: ownerUrl } = environment;
  if (databaseUrl !== undefined) {
    return { serverDatabaseUrl: databaseUrl, workerDatabaseUrl: databaseUrl, isDatabaseEmbedded: false, ownerUrl };
  }
  report('Starting Postgres');
  const postgres = await supervisor.start({
    name: 'Postgres',
    start: (previous?: { port: number }) =>
      startPostgres({
        dataDir: join(home, 'postgres'),
        report,
        ...(previous === undefined ? {} : { port: previous.port }),
      }),
    describe: ({ port }) => `on port ${port}, data is kept`,
  });
  const { serverUrl, workerUrl, url } = postgres;
  return { serverDatabaseUrl: serverUrl, workerDatabaseUrl: workerUrl, isDatabaseEmbedded: true, ownerUrl: url };
}

async function startTemporalService(
  { home, environment, variables, report }: StackOptions,
  supervisor: Supervisor,
): Promise<Pick<DataServices, 'temporalAddress' | 'temporalUiUrl' | 'isTemporalEmbedded'>> {
  const found = await findTemporal({
    temporalAddress: environment.TEMPORAL_ADDRESS,
    temporalCli: environment.PAYRUN_TEMPORAL_CLI,
    env: variables,
    cacheDir: payrunCacheDir(variables),
    report,
  });
  if (found.kind === 'address') return { temporalAddress: found.address, isTemporalEmbedded: false };
  report('Starting Temporal');
  const temporal = await supervisor.start({
    name: 'Temporal',
    start: (previous?: { port: number; uiPort: number }) =>
      startTemporal({
        binary: found.binary,
        dataDir: join(home, 'temporal'),
        namespace: environment.TEMPORAL_NAMESPACE,
        searchAttributes: searchAttributeTypes(),
        report,
        ...(previous === undefined ? {} : { port: previous.port, uiPort: previous.uiPort }),
      }),
    describe: ({ port }) => `on port ${port}, data is kept`,
  });
  return { temporalAddress: temporal.address, temporalUiUrl: temporal.uiUrl, isTemporalEmbedded: true };
}
