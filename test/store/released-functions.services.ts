import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VERSION } from '../../config/version.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { asCalled, calledSignatures, type ReleasedFunction } from '../upgrade/released-functions.ts';

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
  const functions = await asCalled(testDatabase.database, calledSignatures());
  const lines = functions.map((each) => JSON.stringify(each));
  writeFileSync(LIST, `{"version": "${VERSION}", "functions": [\n${lines.join(',\n')}\n]}\n`);
});
afterAll(() => testDatabase.drop());

test('every function that processes of the last release call is there, with the same arguments, result and callers', async () => {
  expect(existsSync(LIST)).toBe(true);
  const { functions } = JSON.parse(readFileSync(LIST, 'utf8')) as { functions: ReleasedFunction[] };
  expect(functions.length).toBeGreaterThan(100);
  const now = await asCalled(
    testDatabase.database,
    functions.map(({ signature }) => signature),
  );
  expect(now).toEqual(functions);
});
