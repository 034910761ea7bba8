import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VERSION } from '../../config/version.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { calledFunctions, type ReleasedFunction } from '../upgrade/released-functions.ts';

/**
 * During an upgrade, processes of the release before call the functions of this version. Its list is written once it is released:
 *
 *     RECORD_FUNCTIONS=1 npx vitest run --project services test/store/released-functions.services.ts
 */
const LIST = new URL('../upgrade/released-functions.json', import.meta.url);

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  if (process.env['RECORD_FUNCTIONS'] === undefined) return;
  const functions = await calledFunctions(testDatabase.database);
  const lines = functions.map((each) => JSON.stringify(each));
  writeFileSync(LIST, `{"version": "${VERSION}", "functions": [\n${lines.join(',\n')}\n]}\n`);
});
afterAll(() => testDatabase.drop());

test('every function that processes of the last release call is there, with the same arguments, result and callers', async () => {
  expect(existsSync(LIST)).toBe(true);
  const { functions } = JSON.parse(readFileSync(LIST, 'utf8')) as { functions: ReleasedFunction[] };
  expect(functions.length).toBeGreaterThan(100);
  const { rows } = await testDatabase.database.query<ReleasedFunction>(
    `select signature, pg_get_function_result(to_regprocedure(signature)) as returns,
       array(select role from unnest('{payrun_server,payrun_worker}'::text[]) as role
         where to_regprocedure(signature) is not null and has_function_privilege(role, to_regprocedure(signature), 'execute')
         order by role) as callers
     from unnest($1::text[]) with ordinality as released (signature, position) order by position`,
    [functions.map(({ signature }) => signature)],
  );
  expect(rows).toEqual(functions);
});
