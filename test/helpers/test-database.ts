import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../store/database.ts';
import { migrate } from '../../store/migrate.ts';

export interface TestDatabase {
  url: string;
  database: Database;
  drop(): Promise<void>;
}

/** A migrated database of the test file's own on the shared server. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = inject('databaseUrl');
  await onServer(server, `create database ${name}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await migrate(url);
  const database = openDatabase(url, { maxConnections: 20, applicationName: 'payrun-test' });
  return {
    url,
    database,
    drop: async () => {
      await database.end();
      await onServer(server, `drop database ${name} with (force)`);
    },
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  try {
    await connection.query(statement);
  } finally {
    await connection.end();
  }
}
