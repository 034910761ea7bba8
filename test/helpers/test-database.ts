import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../store/database.ts';
import { migrate } from '../../store/migrate.ts';

export interface TestDatabase {
  /** Of the owner, who may do anything: for breaking what the runtime cannot. */
  url: string;
  /** Of the role that payrun runs under. */
  appUrl: string;
  /** As payrun runs. */
  database: Database;
  drop(): Promise<void>;
}

/** A migrated database of the test file's own on the shared server. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = inject('databaseUrl');
  await onServer(server, `create database ${name}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const appUrl = Object.assign(new URL(inject('appDatabaseUrl')), { pathname: `/${name}` }).href;
  await migrate(url);
  const database = openDatabase(appUrl, { maxConnections: 20, applicationName: 'payrun-test' });
  return {
    url,
    appUrl,
    database,
    drop: async () => {
      await database.end();
      await onServer(server, `drop database ${name} with (force)`);
    },
  };
}

/** One statement as the owner of everything. */
export async function onServer(url: string, statement: string): Promise<void> {
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  try {
    await connection.query(statement);
  } finally {
    await connection.end();
  }
}
