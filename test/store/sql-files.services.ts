import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VERSION } from '../../config/version.ts';
import { applySqlFiles } from '../../store/database/apply-sql-files.ts';
import { listCatalog } from '../../store/database/catalog-listing.ts';
import { migrate, prepareDatabase } from '../../store/database/migrate.ts';
import { readSqlFiles, readSqlFunctions, signatureOf, type SqlFile } from '../../store/database/sql-files.ts';
import { inTransaction } from '../../store/database/database.ts';
import { createTestDatabase, onServer, type TestDatabase, untilWaiting } from '../helpers/test-database.ts';

/** What the files in store/ say of functions is what the database has. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

/** As if another text had been applied last. */
const FORGET = `update applied_sql_files set sha256 = ''`;

async function textOf(database: TestDatabase, name: string): Promise<string | null> {
  const { rows } = await database.database.query<{ text: string }>(
    `select prosrc as text from pg_proc where pronamespace = 'public'::regnamespace and proname = $1`,
    [name],
  );
  return rows[0]?.text ?? null;
}

describe('the functions of the database', () => {
  test('are those of the files, each defined once, with its arguments', async () => {
    const functions = readSqlFunctions();
    const names = functions.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    const { rows } = await testDatabase.database.query<{ signature: string }>(
      `select oid::regprocedure::text as signature from pg_proc where pronamespace = 'public'::regnamespace`,
    );
    const { rows: named } = await testDatabase.database.query<{ signature: string }>(
      'select to_regprocedure(name)::text as signature from unnest($1::text[]) as name',
      [functions.map(signatureOf)],
    );
    const inDatabase = rows.map(({ signature }) => signature).sort();
    expect(inDatabase.length).toBeGreaterThan(300);
    expect(inDatabase).toEqual(named.map(({ signature }) => signature).sort());
  });

  test('are the same after they are applied once more', async () => {
    const before = await listCatalog(testDatabase.database);
    await testDatabase.database.query(FORGET);
    await migrate(testDatabase.url);
    expect(await listCatalog(testDatabase.database)).toBe(before);
  });
});

/** As a build with other files would apply them, with one function and one trigger more. */
async function applyOtherFiles(own: TestDatabase): Promise<void> {
  const [like] = readSqlFunctions().filter(({ name }) => name === 'is_stopped');
  const other: SqlFile = {
    file: 'other.sql',
    functions: [
      {
        ...like!,
        name: 'left_over',
        argumentTypes: '',
        statement:
          'create or replace function left_over() returns trigger language plpgsql as $$ begin return null; end $$;',
      },
      {
        ...like!,
        name: 'left_over_question',
        argumentTypes: 'text',
        statement: `create or replace function left_over_question(p_state text) returns boolean language sql immutable return p_state = 'draft';`,
      },
      {
        ...like!,
        statement: `create or replace function is_stopped(p_account text, p_run uuid) returns boolean language sql stable as $$ select true $$;`,
      },
    ],
    triggers: [
      {
        name: 'left_over',
        table: 'runs',
        statements: `create trigger left_over before insert on runs for each row when (left_over_question(new.state)) execute function left_over();`,
      },
    ],
  };
  await inTransaction(own.database, (connection) => applySqlFiles(connection, [...readSqlFiles(), other]));
}

describe('migrating', () => {
  test('drops functions and triggers of former files that no file has, and brings back what was changed by hand', async () => {
    const own = await createTestDatabase();
    const before = await listCatalog(own.database);
    await applyOtherFiles(own);
    expect(await listCatalog(own.database)).toContain('left_over_question');
    await own.database.query(`
      create or replace trigger runs_end_once_over before update of state on runs
        for each row when (new.state = 'draft') execute function refuse_early_end();
      drop trigger runs_move_legally on runs`);
    await migrate(own.url);
    expect(await listCatalog(own.database)).toBe(before);
    await own.drop();
  });

  test('leaves what payrun did not make', async () => {
    const own = await createTestDatabase();
    await own.database.query(`
      create function of_others() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger of_others after insert on payments for each row execute function of_others();
      create view of_others_view as select run_id from runs;
      create view of_others_view_too as select run_id from of_others_view;
      create aggregate of_others_sum (numeric) (sfunc = numeric_add, stype = numeric);
      ${FORGET}`);
    await migrate(own.url);
    const { rows } = await own.database.query(
      `select proname as name from pg_proc where proname like 'of_others%' union all select relname from pg_class where relname like 'of_others%'
       union all select tgname from pg_trigger where tgname like 'of_others%' order by 1`,
    );
    expect(rows.map(({ name }) => name as string)).toEqual([
      'of_others',
      'of_others',
      'of_others_sum',
      'of_others_view',
      'of_others_view_too',
    ]);
    await own.drop();
  });

  test('leaves the functions of a newer version as they are, and a process of this version starts', async () => {
    const own = await createTestDatabase();
    await applyOtherFiles(own);
    await own.database.query(`update applied_sql_files set version = '999.10.0'`);
    await migrate(own.url);
    expect((await textOf(own, 'is_stopped'))?.trim()).toBe('select true');
    await prepareDatabase({ databaseUrl: own.serverUrl, ownerUrl: undefined });
    await own.drop();
  });

  test('replaces those of a pre-release of this version', async () => {
    const own = await createTestDatabase();
    await applyOtherFiles(own);
    await own.database.query(`update applied_sql_files set version = '${VERSION}-rc.1'`);
    await prepareDatabase({ databaseUrl: own.serverUrl, ownerUrl: own.url });
    expect((await textOf(own, 'is_stopped'))?.trim()).not.toBe('select true');
    await own.drop();
  });

  test('a process that starts again leaves the functions of the build of its version that replaced its own', async () => {
    const own = await createTestDatabase();
    await applyOtherFiles(own);
    await prepareDatabase({ databaseUrl: own.serverUrl, ownerUrl: own.url });
    await prepareDatabase({ databaseUrl: own.serverUrl, ownerUrl: undefined });
    expect((await textOf(own, 'is_stopped'))?.trim()).toBe('select true');
    await migrate(own.url);
    expect((await textOf(own, 'is_stopped'))?.trim()).not.toBe('select true');
    await own.drop();
  });

  test('is needed before a process without the owner’s login starts on functions of an older version', async () => {
    const own = await createTestDatabase();
    await onServer(own.url, FORGET);
    await expect(prepareDatabase({ databaseUrl: own.serverUrl, ownerUrl: undefined })).rejects.toThrow(
      "the database lacks functions, and the role of DATABASE_URL may not run migrations: run 'payrun migrate'",
    );
    await own.drop();
  });
});

describe('migrating beside transactions that pay', () => {
  test('locks no table whose triggers are as they were', async () => {
    const own = await createTestDatabase();
    const holder = await own.database.connect();
    await holder.query('begin');
    const { rows } = await holder.query<{ name: string }>(
      `select distinct tgrelid::regclass::text as name from pg_trigger where not tgisinternal`,
    );
    for (const { name } of rows) await holder.query(`lock table ${name} in row exclusive mode`);
    await own.database.query(FORGET);
    await migrate(own.url);
    await holder.query('commit');
    holder.release();
    await own.drop();
  });

  test('gives way to one that needs the tables in another order, and goes on after it', async () => {
    const own = await createTestDatabase();
    const before = await listCatalog(own.database);
    await own.database.query(`
      drop trigger history_equals_ledger on balance_chains;
      drop trigger payments_move_legally on payments;
      ${FORGET}`);
    const holder = await own.database.connect();
    await holder.query('begin');
    await holder.query('lock table payments in row exclusive mode');
    const migrating = migrate(own.url);
    await untilWaiting(own.database);
    await holder.query('lock table balance_chains in row exclusive mode');
    await holder.query('commit');
    holder.release();
    await migrating;
    expect(await listCatalog(own.database)).toBe(before);
    await own.drop();
  });
});
