import { createHash } from 'node:crypto';
import { VERSION } from '../../config/version.ts';
import type { Queryable } from './database.ts';
import { readSqlFiles, signatureOf, type SqlFile } from './sql-files.ts';

/** How what the database has compares with the files of this version: a newer version has more, and is left alone. */
export type SqlFilesState = 'same' | 'newer' | 'older';

/**
 * Makes the functions, triggers and views of the database those of `store/<subject>/*.sql`, as a whole: what has no file there is
 * dropped. Does nothing when the same files were applied last, or those of a newer version. Needs a transaction of the owner.
 */
export async function applySqlFiles(owner: Queryable): Promise<SqlFilesState> {
  await owner.query(`select pg_advisory_xact_lock(hashtextextended('sql-files', 0))`);
  const state = await readSqlFilesState(owner);
  if (state !== 'older') return state;
  const files = readSqlFiles();
  // Bodies name tables and functions of other files, which may come after them.
  await owner.query('set local check_function_bodies = off');
  await dropWithoutFile(owner, files);
  for (const { functions } of files) for (const each of functions) await owner.query(each.statement);
  for (const { rest } of files) if (rest.trim() !== '') await owner.query(rest);
  await owner.query(
    `insert into applied_sql_files (version, sha256) values ($1, $2)
     on conflict (only_one) do update set version = excluded.version, sha256 = excluded.sha256, applied_at = clock_timestamp()`,
    [VERSION, hashOf(files)],
  );
  return 'same';
}

/** Another text of the same version counts as older. */
export async function readSqlFilesState(database: Queryable): Promise<SqlFilesState> {
  const { rows } = await database.query<{ version: string; sha256: string }>(
    'select version, sha256 from public.applied_sql_files',
  );
  const [applied] = rows;
  if (applied === undefined) return 'older';
  if (applied.version.localeCompare(VERSION, 'en', { numeric: true }) > 0) return 'newer';
  return applied.version === VERSION && applied.sha256 === hashOf(readSqlFiles()) ? 'same' : 'older';
}

function hashOf(files: readonly SqlFile[]): string {
  const hash = createHash('sha256');
  for (const { functions, rest } of files) hash.update(JSON.stringify([functions.map((each) => each.statement), rest]));
  return hash.digest('hex');
}

const TRIGGER = /^create (?:or replace |constraint )?trigger (\w+)\b[\s\S]*?\bon (\w+)/gm;

async function dropWithoutFile(owner: Queryable, files: readonly SqlFile[]): Promise<void> {
  const triggers = files.flatMap(({ rest }) =>
    [...rest.matchAll(TRIGGER)].map(([, name, table]) => `${name} on ${table}`),
  );
  const functions = files.flatMap(({ functions: of }) => of.map(signatureOf));
  const { rows } = await owner.query<{ statement: string }>(
    `select format('drop trigger %I on %I', tgname, relname) as statement
     from pg_trigger join pg_class on pg_class.oid = tgrelid
     where relnamespace = 'public'::regnamespace and not tgisinternal and tgname || ' on ' || relname <> all ($1)
     union all
     select format('drop view %I', relname) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'
     union all
     -- Tables need some functions, for defaults and computed columns: these are in store/schema. Triggers and functions that ask
     -- another one are dropped with it, and come back from their files.
     select format('drop function if exists %s cascade', oid::regprocedure) from pg_proc
     where pronamespace = 'public'::regnamespace
       and oid <> all (array_remove(array(select to_regprocedure(name) from unnest($2::text[]) as name), null))
       and not exists (select from pg_depend where refclassid = 'pg_proc'::regclass and refobjid = pg_proc.oid
         and classid in ('pg_attrdef'::regclass, 'pg_class'::regclass, 'pg_constraint'::regclass))`,
    [triggers, functions],
  );
  for (const { statement } of rows) await owner.query(statement);
}
