import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VERSION } from '../../config/version.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { asInDatabase, functionsOfFiles, type ReleasedFunction } from '../upgrade/released-functions.ts';

/**
 * During an upgrade, processes of the release before call the functions of this version, and those that are there are replaced:
 * Postgres refuses that where the result or the name of a parameter changed, which takes another name. The list of a version is
 * written once it is released:
 *
 *     RECORD_FUNCTIONS=1 npx vitest run --project services test/store/released-functions.services.ts
 */
const LIST = new URL('../upgrade/released-functions.json', import.meta.url);

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  if (process.env['RECORD_FUNCTIONS'] === undefined) return;
  const functions = await asInDatabase(testDatabase.database, functionsOfFiles());
  const lines = functions.map((each) => JSON.stringify(each));
  writeFileSync(LIST, `{"version": "${VERSION}", "functions": [\n${lines.join(',\n')}\n]}\n`);
});
afterAll(() => testDatabase.drop());

const released = (): readonly ReleasedFunction[] =>
  (JSON.parse(readFileSync(LIST, 'utf8')) as { functions: ReleasedFunction[] }).functions;

test('every function that processes of the last release call is there, with the same parameters, result and callers', async () => {
  const called = released().filter(({ stays }) => stays);
  expect(called.length).toBeGreaterThan(100);
  expect(await asInDatabase(testDatabase.database, called)).toEqual(called);
});

test('every other function of the last release is gone, or can be replaced', async () => {
  const others = released().filter(({ stays }) => !stays);
  expect(others.length).toBeGreaterThan(100);
  const now = await asInDatabase(testDatabase.database, others);
  const kept = now
    .filter(({ returns }) => returns !== null)
    .map(({ signature, parameters, returns }) => ({ signature, parameters, returns }));
  const before = others.map(({ signature, parameters, returns }) => ({ signature, parameters, returns }));
  expect(before).toEqual(expect.arrayContaining(kept));
});
