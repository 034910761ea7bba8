import { migrate } from '../../store/database/migrate.ts';
import { startPostgres } from '../../local/embedded/postgres-server.ts';
import { newFolderInMemory } from '../helpers/folder-in-memory.ts';
import { openAsOwner } from '../helpers/test-database.ts';
import { aUser } from '../helpers/users.ts';
import { openSimulated, SimulatedTime, simulateTime } from './simulated-time.ts';
import type { People, Place } from './world.ts';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface DatabaseUrls {
  url: string;
  serverUrl: string;
  workerUrl: string;
}

/** Makes a migrated database ready for histories: its time is simulated, and it has the people. */
export async function prepareDatabase({ url }: DatabaseUrls): Promise<People> {
  const database = openAsOwner(url);
  try {
    await simulateTime(database);
  } finally {
    await database.end();
  }
  const afterwards = openAsOwner(url);
  try {
    // Whose the record is must be known before anything is approved.
    await afterwards.query(
      `insert into provider_accounts (account, api_address, access_key, is_sandbox) values ('default', 'x', 'x', true)
       on conflict do nothing`,
    );
    const users = { url, database: afterwards };
    return {
      maker: await aUser(users, 'Mia', 'maker'),
      checker: await aUser(users, 'Chris', 'checker'),
      other: await aUser(users, 'Carla', 'checker'),
      treasurer: await aUser(users, 'Tessa', 'treasurer'),
      secondTreasurer: await aUser(users, 'Tom', 'treasurer'),
    };
  } finally {
    await afterwards.end();
  }
}

export function openPlace(
  { url, serverUrl, workerUrl }: DatabaseUrls,
  people: People,
): Place & { close(): Promise<void> } {
  const time = new SimulatedTime();
  const database = openSimulated(url, null, time);
  const asServer = openSimulated(serverUrl, 'payrun_server', time);
  const asWorker = openSimulated(workerUrl, 'payrun_worker', time);
  const close = async (): Promise<void> => {
    await Promise.all([database.end(), asServer.end(), asWorker.end()]);
  };
  return { time, database, asServer, asWorker, people, close };
}

/** It keeps nothing longer than the histories are played. */
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'autovacuum=off'];

/** A Postgres of its own, without Temporal, in a new folder that is deleted at the end. */
export async function startDatabase(report: (line: string) => void): Promise<DatabaseUrls & { stop(): Promise<void> }> {
  const folder = newFolderInMemory('model');
  // A round trip by TCP takes twice the time, and there are hundreds in a history.
  const sockets = join(folder, 'sockets');
  mkdirSync(sockets);
  chmodSync(sockets, 0o777);
  const settings = [...SETTINGS, `unix_socket_directories=${sockets}`];
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), settings, report });
  await migrate(postgres.url);
  const stop = async (): Promise<void> => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const bySocket = (url: string): string => `${url}?host=${sockets}`;
  const { url, serverUrl, workerUrl } = postgres;
  return { url: bySocket(url), serverUrl: bySocket(serverUrl), workerUrl: bySocket(workerUrl), stop };
}
