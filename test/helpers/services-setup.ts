import type { TestProject } from 'vitest/node';
import { payrunCacheDir } from '../../local/embedded/temporal-cache.ts';
import { workflowBundle } from '../../workers/workflow-bundle.ts';
import { createTemplate, onServer } from './test-database.ts';
import { type RunningServices, type Services, startServices, TEST_SERVICES } from './services.ts';

declare module 'vitest' {
  export interface ProvidedContext extends Services {
    bundlePath: string;
    /** Migrated: a copy of it takes a fraction of the time that the migrations take. */
    templateDatabase: string;
  }
}

/** Starts Postgres and Temporal once for all files; each file creates its own database and namespace. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const report = (line: string): void => console.error(line);
  const [running, bundlePath] = await Promise.all([
    givenServices() ?? startServices(report),
    workflowBundle(payrunCacheDir(process.env), report),
  ]);
  const { services } = running;
  await writeWithoutWaiting(services.databaseUrl);
  project.provide('databaseUrl', services.databaseUrl);
  project.provide('serverDatabaseUrl', services.serverDatabaseUrl);
  project.provide('workerDatabaseUrl', services.workerDatabaseUrl);
  project.provide('temporalAddress', services.temporalAddress);
  project.provide('bundlePath', bundlePath);
  const template = await createTemplate(services.databaseUrl);
  project.provide('templateDatabase', template);
  return async () => {
    // Of services that go on, those of hundreds of runs would fill the memory.
    await onServer(services.databaseUrl, `drop database ${template} with (force)`);
    await running.stop();
  };
}

/** This Postgres keeps nothing longer than the tests: it need not wait for the disk, which most of their time would go to. */
async function writeWithoutWaiting(server: string): Promise<void> {
  await onServer(server, 'alter system set fsync = off');
  await onServer(server, 'alter system set full_page_writes = off');
  await onServer(server, 'select pg_reload_conf()');
}

function givenServices(): RunningServices | null {
  const given = process.env[TEST_SERVICES];
  if (given === undefined) return null;
  return { services: JSON.parse(given) as Services, stop: () => Promise.resolve() };
}
