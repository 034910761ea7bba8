import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';

/** Brings the database to this version's schema. Several processes may call it at once: the others wait. */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const applied = await runner({
    databaseUrl,
    dir: fileURLToPath(new URL('./migrations', import.meta.url)),
    migrationsTable: 'schema_migrations',
    direction: 'up',
    advisoryLockMode: 'wait',
    log: () => undefined,
  });
  return applied.map((migration) => migration.name);
}

/** Deletes everything in the database. For demonstrations and tests alone: nothing else may ever call it. */
export async function emptyDatabase(databaseUrl: string): Promise<void> {
  const connection = new pg.Client({ connectionString: databaseUrl });
  await connection.connect();
  try {
    await connection.query('drop schema public cascade; create schema public');
  } finally {
    await connection.end();
  }
}
