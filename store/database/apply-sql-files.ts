import { createHash } from 'node:crypto';
import semver from 'semver';
import { VERSION } from '../../config/version.ts';
import type { Queryable } from './database.ts';
import { readSqlFiles, signatureOf, type SqlFile, type SqlTrigger } from './sql-files.ts';

/**
 * How what was applied last compares with the files of this process. `newer`: they are of a later version. `replaced`: they are of the
 * same version, and these files were applied before them. `older`: anything else.
 */
export type SqlFilesState = 'same' | 'older' | 'replaced' | 'newer';

/** What was made: signatures of functions, and triggers (`name on table`) with a hash of what they were made of and look like. */
interface AppliedObjects {
  functions: string[];
  triggers: Record<string, string>;
}

/**
 * Makes the functions and triggers of the database those of `store/<subject>/*.sql`, as a whole, and drops what was made by files that are
 * no more. Needs a transaction of the owner. A trigger that is as it was is left alone: to make one, its table is locked.
 */
export async function applySqlFiles(owner: Queryable, files = readSqlFiles()): Promise<void> {
  const { rows } = await owner.query<{ objects: AppliedObjects }>(
    'select objects from public.applied_sql_files order by position desc limit 1',
  );
  const former: AppliedObjects = rows[0]?.objects ?? { functions: [], triggers: {} };
  // Bodies name tables and functions of other files, which may come after them.
  await owner.query('set local check_function_bodies = off');
  for (const { functions } of files) for (const each of functions) await owner.query(each.statement);
  const triggers = files.flatMap((file) => file.triggers);
  const before = await hashesOf(owner, triggers);
  for (const trigger of triggers) {
    const name = nameOf(trigger);
    if (before[name] === undefined || before[name] !== former.triggers[name]) await owner.query(trigger.statements);
  }
  const objects = {
    functions: files.flatMap(({ functions }) => functions.map(signatureOf)),
    triggers: await hashesOf(owner, triggers),
  };
  await dropWithoutFile(owner, former, objects);
  await owner.query('insert into applied_sql_files (version, sha256, objects) values ($1, $2, $3)', [
    VERSION,
    hashOf(files),
    objects,
  ]);
}

export async function readSqlFilesState(database: Queryable): Promise<SqlFilesState> {
  const { rows: applied } = await database.query<{ version: string; sha256: string }>(
    'select version, sha256 from public.applied_sql_files order by position',
  );
  const last = applied.at(-1);
  if (last === undefined) return 'older';
  const sha256 = hashOf(readSqlFiles());
  if (last.version === VERSION && last.sha256 === sha256) return 'same';
  const order = semver.compareBuild(last.version, VERSION);
  if (order !== 0) return order > 0 ? 'newer' : 'older';
  return applied.some((each) => each.version === VERSION && each.sha256 === sha256) ? 'replaced' : 'older';
}

function hashOf(files: readonly SqlFile[]): string {
  const hash = createHash('sha256');
  for (const { functions, triggers } of files) {
    hash.update(JSON.stringify([functions.map(({ statement }) => statement), triggers.map((each) => each.statements)]));
  }
  return hash.digest('hex');
}

const nameOf = ({ name, table }: SqlTrigger): string => `${name} on ${table}`;

/** Of those that are there, by name: over the statements of the file and what the database has. */
async function hashesOf(database: Queryable, triggers: readonly SqlTrigger[]): Promise<Record<string, string>> {
  const { rows } = await database.query<{ name: string; definition: string }>(
    `select tgname || ' on ' || relname as name, pg_get_triggerdef(pg_trigger.oid) || tgenabled::text as definition
     from pg_trigger join pg_class on pg_class.oid = tgrelid
     where relnamespace = 'public'::regnamespace and not tgisinternal`,
  );
  const definitions = new Map(rows.map(({ name, definition }) => [name, definition]));
  return Object.fromEntries(
    triggers.flatMap((trigger) => {
      const definition = definitions.get(nameOf(trigger));
      if (definition === undefined) return [];
      return [[nameOf(trigger), createHash('sha256').update(trigger.statements).update(definition).digest('hex')]];
    }),
  );
}

async function dropWithoutFile(owner: Queryable, former: AppliedObjects, now: AppliedObjects): Promise<void> {
  const { rows } = await owner.query<{ statement: string }>(
    `select format('drop trigger %I on %I', tgname, relname) as statement
     from pg_trigger join pg_class on pg_class.oid = tgrelid
     where relnamespace = 'public'::regnamespace and not tgisinternal and tgname || ' on ' || relname = any ($1)
     union all
     -- In one statement, as they may ask each other.
     select 'drop function ' || string_agg(oid::regprocedure::text, ', ') from pg_proc
     where oid = any (array(select to_regprocedure(name) from unnest($2::text[]) as name))
       and oid <> all (array(select to_regprocedure(name) from unnest($3::text[]) as name))
     having count(*) > 0`,
    [Object.keys(former.triggers).filter((name) => now.triggers[name] === undefined), former.functions, now.functions],
  );
  for (const { statement } of rows) await owner.query(statement);
}
