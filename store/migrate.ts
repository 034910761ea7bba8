import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';

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
