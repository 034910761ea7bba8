import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listCatalog } from '../../store/database/catalog-listing.ts';
import { migrate, prepareDatabase } from '../../store/database/migrate.ts';
import { readSqlFunctions, signatureOf } from '../../store/database/sql-files.ts';
import { createTestDatabase, onServer, type TestDatabase } from '../helpers/test-database.ts';

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

describe('migrating', () => {
  test('drops functions, triggers and views that no file has, and brings those back that a file has', async () => {
    const own = await createTestDatabase();
    const before = await listCatalog(own.database);
    await own.database.query(`
      create function left_over() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger left_over before insert on runs for each row execute function left_over();
      create view left_over_view as select run_id from runs;
      create function left_over_question(p_state text) returns boolean language sql immutable return p_state = 'draft';
      create or replace trigger runs_end_once_over before update of state, finished_at on runs
        for each row when (left_over_question(new.state)) execute function refuse_early_end();
      create or replace function is_stopped(p_account text, p_run uuid) returns boolean language sql stable as $$ select false $$;
      drop trigger runs_move_legally on runs;
      ${FORGET}`);
    await migrate(own.url);
    expect(await listCatalog(own.database)).toBe(before);
    await own.drop();
  });

  test('leaves the functions of a newer version as they are, and a process of this version starts', async () => {
    const own = await createTestDatabase();
    await own.database.query(`
      create or replace function is_stopped(p_account text, p_run uuid) returns boolean language sql stable as $$ select true $$;
      update applied_sql_files set version = '999.10.0', sha256 = ''`);
    await migrate(own.url);
    expect((await textOf(own, 'is_stopped'))?.trim()).toBe('select true');
    await prepareDatabase({ databaseUrl: own.serverUrl, ownerUrl: undefined });
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
