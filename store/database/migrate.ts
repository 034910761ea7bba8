import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { writeNotificationRules } from '../notifications/notification-rules.ts';
import { applySqlFiles, readSqlFilesState, type SqlFilesState } from './apply-sql-files.ts';
import { ensureRuntimeRoles, grantRights } from './database-roles.ts';

const MIGRATIONS = fileURLToPath(new URL('../schema', import.meta.url));

/** The database lacks migrations, and the role that payrun runs under may not run them. */
export class DatabaseBehind extends Error {
  override readonly name = 'DatabaseBehind';
}

/**
 * Migrates the database to this version's schema, as its owner, and grants the runtime roles their rights. Functions of a later version
 * stay. Several processes may call it at the same time: the others wait. Returns the names of the migrations that were run.
 */
export async function migrate(ownerUrl: string): Promise<string[]> {
  return migrateOver(ownerUrl, ['older', 'replaced']);
}

async function migrateOver(ownerUrl: string, replaceable: readonly SqlFilesState[]): Promise<string[]> {
  const applied = await givingWay(() =>
    runner({
      databaseUrl: { connectionString: ownerUrl, options: `-c lock_timeout=${LOCK_TIMEOUT_MS}` },
      dir: MIGRATIONS,
      migrationsTable: 'schema_migrations',
      direction: 'up',
      advisoryLockMode: 'wait',
      log: () => undefined,
    }),
  );
  await givingWay(() =>
    withConnection(ownerUrl, async (connection) => {
      await ensureRuntimeRoles(connection);
      await connection.query('begin');
      await connection.query(`select pg_advisory_xact_lock(hashtextextended('sql-files', 0))`);
      await connection.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      const state = await readSqlFilesState(connection);
      if (replaceable.includes(state)) await applySqlFiles(connection);
      if (state === 'same' || replaceable.includes(state)) {
        await writeNotificationRules(connection);
        await grantRights(connection);
      }
      await connection.query('commit');
    }),
  );
  return applied.map((migration) => migration.name);
}

/** Shorter than Postgres waits before it ends one of two that wait for each other, so that it is never a payment's transaction. */
const LOCK_TIMEOUT_MS = 500;
const LOCK_TRIES = 600;
const LOCK_PAUSE_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** Tables in use are locked for a moment only, or not at all: others go first, and it is tried again. */
async function givingWay<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isLocked = (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE;
      if (!isLocked || tries === LOCK_TRIES) throw error;
      await sleep(LOCK_PAUSE_MS);
    }
  }
}

/**
 * Prepares the schema at a process's start: migrates as the owner if one is given, or as the only role if it owns the
 * tables; otherwise the schema must be up to date. A process that starts again leaves the functions of another build of its version, which
 * replaced its own. @throws DatabaseBehind
 */
export async function prepareDatabase(urls: {
  databaseUrl: string;
  ownerUrl: string | undefined;
  /** Nothing else of payrun runs on this database. */
  isAlone?: boolean;
}): Promise<void> {
  const ownerUrl = urls.ownerUrl ?? ((await ownsSchema(urls.databaseUrl)) ? urls.databaseUrl : null);
  if (ownerUrl !== null) await migrateOver(ownerUrl, urls.isAlone === true ? ['older', 'replaced'] : ['older']);
  const missing = await withConnection(urls.databaseUrl, whatIsMissing);
  if (missing.length === 0) return;
  throw new DatabaseBehind(
    `the database lacks ${missing.join(', ')}, and the role of DATABASE_URL may not run migrations: run ` +
      "'payrun migrate' with PAYRUN_OWNER_DATABASE_URL first",
  );
}

/** Whether the role owns the tables; in an empty database, whether it may create them. */
async function ownsSchema(databaseUrl: string): Promise<boolean> {
  return withConnection(databaseUrl, async (connection) => {
    const { rows } = await connection.query<{ owns: boolean }>(
      `select coalesce(
         (select pg_has_role(relowner, 'USAGE') from pg_class where oid = to_regclass('public.audit_entries')),
         has_schema_privilege('public', 'CREATE')) as owns`,
    );
    return rows[0]?.owns === true;
  });
}

/** Names of migrations; `functions` if these are of an older version. */
async function whatIsMissing(connection: pg.Client): Promise<string[]> {
  const names = readdirSync(MIGRATIONS).map((file) => file.replace(/\.sql$/, ''));
  const { rows: table } = await connection.query(`select to_regclass('public.schema_migrations') as there`);
  if ((table[0] as { there: string | null } | undefined)?.there === null) return names.sort();
  const { rows } = await connection.query<{ name: string }>('select name from public.schema_migrations');
  const known = new Set(rows.map(({ name }) => name));
  const missing = names.filter((name) => !known.has(name)).sort();
  return missing.length > 0 || (await readSqlFilesState(connection)) !== 'older' ? missing : ['functions'];
}

/** Deletes everything in the database. Only for demonstrations and tests. */
export async function emptyDatabase(ownerUrl: string): Promise<void> {
  await withConnection(ownerUrl, (connection) =>
    connection.query('drop schema public cascade; create schema public').then(() => undefined),
  );
}

async function withConnection<T>(url: string, work: (connection: pg.Client) => Promise<T>): Promise<T> {
  const connection = new pg.Client({ connectionString: url });
  // If the server ends, the current query fails; an unhandled error event would end this process as well.
  connection.on('error', () => undefined);
  await connection.connect();
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}
