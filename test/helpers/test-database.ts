import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../store/database/database.ts';
import { migrate } from '../../store/database/migrate.ts';
import type { QueryObserver } from '../../store/database/observed-client.ts';

export interface TestDatabase {
  /** Logs in as the owner, who may do anything. */
  url: string;
  /** Log in as payrun's processes. */
  serverUrl: string;
  workerUrl: string;
  /** Connects as the owner, for set-up and assertions. */
  database: Database;
  /** Connect with the roles of the server and of the worker. */
  asServer: Database;
  asWorker: Database;
  drop(): Promise<void>;
}

/** Creates and migrates the database that those of all test files are copied from. Returns its name. */
export async function createTemplate(server: string): Promise<string> {
  const name = `template_${randomBytes(6).toString('hex')}`;
  await onServer(server, `create database ${name}`);
  await migrate(Object.assign(new URL(server), { pathname: `/${name}` }).href);
  return name;
}

/** Told of the statements of the two roles. */
export interface DatabaseObservers {
  server?: QueryObserver;
  worker?: QueryObserver;
}

interface TestDatabaseOptions extends DatabaseObservers {
  /** Whose it is: as most tests need it, the sandbox's, with the account `default`. */
  provider?: 'sandbox' | 'none';
}

/** Creates a migrated database for one test file on the shared server. */
export async function createTestDatabase({
  provider = 'sandbox',
  ...observers
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = inject('databaseUrl');
  await onServer(server, `create database ${name} template ${inject('templateDatabase')}`);
  const ofDatabase = (url: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const url = ofDatabase(server);
  const serverUrl = ofDatabase(inject('serverDatabaseUrl'));
  const workerUrl = ofDatabase(inject('workerDatabaseUrl'));
  // The rights that concern the database itself are not copied.
  await migrate(url);
  const database = openAsOwner(url);
  if (provider === 'sandbox') {
    await database.query(
      `insert into provider_accounts (account, api_address, access_key, is_sandbox) values ('default', 'x', 'x', true)`,
    );
  }
  const pool = { maxConnections: 20, applicationName: 'payrun-test' };
  const asServer = openDatabase(serverUrl, { role: 'payrun_server', observer: observers.server, ...pool });
  const asWorker = openDatabase(workerUrl, { role: 'payrun_worker', observer: observers.worker, ...pool });
  return {
    url,
    serverUrl,
    workerUrl,
    database,
    asServer,
    asWorker,
    drop: async () => {
      await Promise.all([database.end(), asServer.end(), asWorker.end()]);
      await onServer(server, `drop database ${name} with (force)`);
    },
  };
}

/** A connection pool of the owner. */
export function openAsOwner(url: string): Database {
  const pool = new pg.Pool({ connectionString: url, max: 10, application_name: 'payrun-test' });
  // `end` resolves before all connections have closed, so the database may be dropped while some are open. An idle one
  // reports the error to the pool, any other to its own listener.
  pool.on('error', () => undefined);
  pool.on('connect', (connection) => connection.on('error', () => undefined));
  return pool;
}

/** Waits until a connection waits for a lock. */
export async function untilWaiting(database: Database): Promise<void> {
  for (;;) {
    const { rows } = await database.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rows.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Executes one statement on a new connection. */
export async function onServer(url: string, statement: string): Promise<void> {
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  try {
    await connection.query(statement);
  } finally {
    await connection.end();
  }
}
