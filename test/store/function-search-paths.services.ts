import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onServer, createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { aStoredRun } from './a-stored-run.ts';
import { refusedWith, RunsInApproval } from './runs-in-approval.ts';

/** No table that a login creates can shadow a table of the database. */

let testDatabase: TestDatabase;
let runs: RunsInApproval;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
});
afterAll(() => testDatabase.drop());

const ADD_A_ROW = `insert into public.payments (payment_id, run_id, account, row_number, line, row_ref, state)
  values ($1, $2, 'default', 9, 9, 'late', 'invalid')`;

/** Inlined into the calling query, so they have no search path: their tables are qualified. */
const INLINED = [
  'approved_under_name',
  'beneficiary_of',
  'paid_to_account',
  'paid_to_beneficiary',
  'paid_under_name',
  'rows_to_beneficiary',
  'same_payments',
];
/** Conditions on one row, inlined as well: they read no table, and the functions that they call are qualified. */
const CONDITIONS = [
  'creation_is_looked_for',
  'is_resolved_as_unpaid',
  'may_be_repeated',
  'may_still_be_repeated',
  'payment_is_watched',
  'priced_channel',
];
/** Computed from its arguments, and inlined as well. */
const COMPUTED = ['expected_cost'];

describe('a temporary table', () => {
  test.each(['serverUrl', 'workerUrl'] as const)('cannot be created by the login behind %s', async (login) => {
    await expect(onServer(testDatabase[login], 'create temporary table runs (run_id uuid)')).rejects.toThrow(
      'permission denied to create temporary tables',
    );
  });

  test('does not hide the runs from the trigger against later rows, even if a login could create one', async () => {
    const { database, serverUrl, url } = testDatabase;
    const { runId } = await aStoredRun(database);
    const right = `temporary on database ${new URL(url).pathname.slice(1)}`;
    await onServer(url, `grant ${right} to payrun_server`);
    const connection = new pg.Client({ connectionString: serverUrl });
    await connection.connect();
    try {
      await connection.query('create temporary table runs (run_id uuid)');
      const late = connection.query(ADD_A_ROW, [randomUUID(), runId]);
      await expect(late).rejects.toThrow('is added together with it, and never after');
    } finally {
      await connection.end();
      await onServer(url, `revoke ${right} from payrun_server`);
    }
  });
});

describe('every function', () => {
  test('searches the schema first, whatever the caller’s search path', async () => {
    const { rows } = await testDatabase.database.query<{ name: string }>(
      `select proname as name from pg_proc where pronamespace = 'public'::regnamespace
         -- A text that was bound when the function was made searches no schema.
         and prosqlbody is null and not coalesce(proconfig @> array['search_path=public, pg_temp'], false) order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual([...INLINED, ...CONDITIONS, ...COMPUTED].sort());
  });

  test.each(INLINED)('otherwise qualifies its tables: %s', async (name) => {
    const { rows } = await testDatabase.database.query<{ body: string }>(
      'select prosrc as body from pg_proc where proname = $1',
      [name],
    );
    const read = [...(rows[0]?.body ?? '').matchAll(/\b(?:from|join|lateral)\s+([\w.]+)/g)].map(([, table]) => table);
    const tables = read.filter((table) => table !== 'lateral');
    expect(tables.length).toBeGreaterThan(0);
    expect(tables.filter((table) => table?.startsWith('public.') !== true)).toEqual([]);
  });

  test.each(CONDITIONS)('otherwise reads no table, and qualifies what it calls: %s', async (name) => {
    const { rows } = await testDatabase.database.query<{ body: string }>(
      'select prosrc as body from pg_proc where proname = $1',
      [name],
    );
    const [{ body } = { body: '' }] = rows;
    expect(body).not.toMatch(/\bfrom\b|\bjoin\b/);
    const called = [...body.matchAll(/([\w.]+)\(/g)].map(([, each]) => each);
    expect(
      called.filter(
        (each) =>
          !/^(?:public\.|in$|clock_timestamp$|coalesce$|make_interval$|jsonb_path_exists$|jsonb_build_object$|and$|or$|not$)/.test(
            each ?? '',
          ),
      ),
    ).toEqual([]);
  });

  test.each(COMPUTED)('otherwise reads no table: %s', async (name) => {
    const { rows } = await testDatabase.database.query<{ body: string }>(
      'select prosrc as body from pg_proc where proname = $1',
      [name],
    );
    expect(rows[0]?.body).not.toMatch(/\b(?:from|join)\s+\w/);
  });

  test('otherwise is inlined into the calling query', async () => {
    const asked = `select payment_id from paid_to_account('default', 'x') union all select payment_id from paid_under_name('default', 'x')
      union all select payment_id from payments cross join lateral beneficiary_of(payments)
      union all select payment_id from rows_to_beneficiary('default', 'x', 'x')
      union all select payment_id from same_payments('default', 'x', 'x', 1, 'buy', 'USD', 'EUR')
      union all select payment_id from payments cross join lateral expected_cost(amount, amount_side, sell_currency, buy_currency,
        priced_channel(instruction, buy_currency, '{}'), '{}')`;
    const { rows } = await testDatabase.database.query<{ 'QUERY PLAN': string }>(`explain ${asked}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    // What the policy says is read once for a query.
    expect(plan).not.toMatch(/Function Scan on (?!duplicate_terms)/);
    expect(plan).not.toContain('may_still_be_repeated');
    expect(plan).not.toContain('expected_cost');
    expect(plan).toContain('on payments');
  });
});

test('a run that has other rows than were submitted is not approved', async () => {
  const { runId } = await runs.aRun();
  await bypassTriggers(testDatabase.database, ADD_A_ROW, [randomUUID(), runId]);
  await expect(runs.decide(runs.chris, runId)).rejects.toMatchObject(refusedWith('conflict'));
  expect(await runs.refusalsOf(runId)).toMatchObject([{ why: 'other_rows' }]);
  expect(await runs.frozenRows(runId)).toBe(0);
});
