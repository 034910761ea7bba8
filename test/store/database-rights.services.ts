import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tableUnder } from '../helpers/document-tables.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';

let testDatabase: TestDatabase;
let connections: Record<Login, pg.Client>;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  connections = {
    payrun_server: new pg.Client({ connectionString: testDatabase.serverUrl }),
    payrun_worker: new pg.Client({ connectionString: testDatabase.workerUrl }),
  };
  for (const login of ROLES) await connections[login].connect();
});
afterAll(async () => {
  for (const login of ROLES) await connections[login].end();
  await testDatabase.drop();
});

const ROLES = ['payrun_server', 'payrun_worker'] as const;
type Login = (typeof ROLES)[number];

/** Tests the table in the document, cell by cell. */
const DOCUMENTED = tableUnder('security.md', 'Database roles and tables');

/** `select, update (a, b)`: the columns of each right, or all of them. */
function rightsIn(cell: string): Map<string, string[] | 'all'> {
  const rights = new Map<string, string[] | 'all'>();
  for (const [, right = '', columns] of cell.matchAll(/([a-z]+)(?: \(([^)]*)\))?/g)) {
    rights.set(right, columns === undefined ? 'all' : columns.split(',').map((name) => name.trim()));
  }
  return rights;
}

async function columnsOf(table: string): Promise<string[]> {
  const { rows } = await testDatabase.database.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** Statements that need the right and change nothing, each with its column; null: the whole table. */
function attempts(
  table: string,
  right: string,
  columns: readonly string[],
): [column: string | null, statement: string][] {
  switch (right) {
    case 'select':
      return columns.map((column) => [column, `select ${column} from ${table} where false`]);
    case 'update':
      return columns.map((column) => [column, `update ${table} set ${column} = null where false`]);
    case 'insert':
      return columns.map((column) => [column, `insert into ${table} (${column}) select null where false`]);
    case 'delete':
      return [[null, `delete from ${table} where false`]];
    case 'truncate':
      return [[null, `truncate ${table} cascade`]];
    case 'alter':
      return [[null, `alter table ${table} add column more text`]];
    case 'trigger':
      return [[null, `create trigger more before update on ${table} execute function audit_epoch()`]];
    default:
      return [[null, `drop table ${table} cascade`]];
  }
}

const NO_RIGHT = '42501';
/** Errors for everyone: setting a generated number, treating a view as a table. */
const NOBODY = ['428C9', '42809'];

/** Undoes each statement, whatever became of it: one question to the server instead of three for each. */
const TRY_ALL = `do $$
declare
  v_statement text;
  v_refused jsonb := '[]';
begin
  for v_statement in select value from jsonb_array_elements_text(current_setting('test.statements')::jsonb) loop
    begin
      execute v_statement;
      raise exception using errcode = 'TEST0';
    exception when others then
      if current_setting('test.codes')::jsonb ? sqlstate then v_refused := v_refused || to_jsonb(v_statement); end if;
    end;
  end loop;
  perform set_config('test.refused', v_refused::text, false);
end $$`;

/** Tries all statements, and returns those that failed with one of the codes. */
async function refusedOf(login: Login, statements: readonly string[], codes = [NO_RIGHT]): Promise<string[]> {
  const connection = connections[login];
  const given = [JSON.stringify(statements), JSON.stringify(codes)];
  await connection.query(`select set_config('test.statements', $1, false), set_config('test.codes', $2, false)`, given);
  await connection.query(TRY_ALL);
  const { rows } = await connection.query<{ refused: string[] }>(
    `select current_setting('test.refused')::jsonb as refused`,
  );
  return rows[0]?.refused ?? [];
}

describe.each(ROLES)('%s', (login) => {
  test.each(DOCUMENTED)('may do with $table what the table says, column by column, and nothing else', async (row) => {
    const { table = '' } = row;
    const documented = rightsIn(row[login] ?? '');
    const columns = await columnsOf(table);
    expect(columns.length).toBeGreaterThan(0);
    const [allowed, forbidden]: [string[], string[]] = [[], []];
    for (const right of ['select', 'insert', 'update', 'delete', 'truncate', 'alter', 'trigger', 'drop']) {
      const of = documented.get(right);
      for (const [column, statement] of attempts(table, right, columns)) {
        const isAllowed = of === 'all' || (of !== undefined && column !== null && of.includes(column));
        (isAllowed ? allowed : forbidden).push(statement);
      }
    }
    expect(await refusedOf(login, forbidden, [NO_RIGHT, ...NOBODY])).toEqual(forbidden);
    expect(await refusedOf(login, allowed)).toEqual([]);
  });

  test('may call the functions that the document lists, and no other', async () => {
    const { rows } = await testDatabase.database.query<{ name: string }>(
      `select proname as name from pg_proc
       where pronamespace = 'public'::regnamespace and has_function_privilege($1, oid, 'execute')`,
      [login],
    );
    const documented = tableUnder('database-functions.md', 'Called by processes').filter((row) => row[login] === 'yes');
    expect(rows.map(({ name }) => name).sort()).toEqual(documented.map(({ function: name = '' }) => name).sort());
  });

  test('cannot create anything in the schema', async () => {
    const statements = [
      'create table more (a int)',
      'create function more() returns int language sql as $$ select 1 $$',
    ];
    expect(await refusedOf(login, statements)).toEqual(statements);
  });
});

test('every table of the database is in the table of rights', async () => {
  const { rows } = await testDatabase.database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(DOCUMENTED.map(({ table = '' }) => table).sort());
});
