import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { emptyDatabase, prepareDatabase } from '../../store/migrate.ts';
import { findTemporal } from '../embedded/find-temporal.ts';
import { startPostgres } from '../embedded/postgres-server.ts';
import type { InstanceAddresses } from '../../config/running-instance.ts';
import type { Supervisor } from '../embedded/supervisor.ts';
import { payrunCacheDir } from '../embedded/temporal-cache.ts';
import { startTemporal } from '../embedded/temporal-server.ts';
import { searchAttributeTypes } from '../register-search-attributes.ts';
import type { StackOptions } from './stack-options.ts';

/** Postgres and Temporal: the configured ones, else embedded ones, both at once. */
export async function startDataServices(
  options: StackOptions,
  supervisor: Supervisor,
): Promise<{ addresses: InstanceAddresses; isTemporalEmbedded: boolean }> {
  const temporalFolder = join(options.home, 'temporal');
  if (options.fresh === true) rmSync(temporalFolder, { recursive: true, force: true });
  const [urls, temporal] = await Promise.all([
    startDatabase(options, supervisor),
    startTemporalService(options, supervisor),
  ]);
  if (options.fresh === true) await emptyDatabase(urls.ownerUrl ?? urls.databaseUrl);
  await prepareDatabase(urls);
  const { isTemporalEmbedded, ...addresses } = temporal;
  // The owner's password goes no further: whoever finds this payrun finds the runtime's role.
  return { addresses: { databaseUrl: urls.databaseUrl, ...addresses }, isTemporalEmbedded };
}

async function startDatabase(
  { home, environment, report }: StackOptions,
  supervisor: Supervisor,
): Promise<{ databaseUrl: string; ownerUrl: string | undefined }> {
  const { DATABASE_URL: databaseUrl, PAYRUN_OWNER_DATABASE_URL: ownerUrl } = environment;
  if (databaseUrl !== undefined) return { databaseUrl, ownerUrl };
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
  return { databaseUrl: postgres.appUrl, ownerUrl: postgres.url };
}

async function startTemporalService(
  { home, environment, variables, report }: StackOptions,
  supervisor: Supervisor,
): Promise<{ temporalAddress: string; temporalUiUrl?: string; isTemporalEmbedded: boolean }> {
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
