import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { openPlace, prepareDatabase } from './places.ts';
import { playMany } from './play-many.ts';
import { listRealTime, openSimulated, SimulatedTime } from './simulated-time.ts';
import type { People } from './world.ts';

let testDatabase: TestDatabase;
let people: People;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  people = await prepareDatabase(testDatabase);
});
afterAll(() => testDatabase.drop());

const HISTORIES = Number(process.env.MODEL_HISTORIES ?? 200);
const SEED = Number(process.env.MODEL_SEED ?? 1);

test('no order of events breaks a rule of payments or of the ledger', async () => {
  const places = [1, 2, 3].map(() => openPlace(testDatabase, people));
  const numbers = Array.from({ length: HISTORIES }, (_, index) => index + 1);
  const { violations, events } = await playMany(places, { seed: SEED, numbers, until: 3 });
  await Promise.all(places.map((place) => place.close()));
  expect(violations).toEqual([]);
  expect(events).toBeGreaterThan(HISTORIES * 10);
});

test('nothing in the database of the model asks the clock of the machine', async () => {
  const time = new SimulatedTime();
  const database = openSimulated(testDatabase.url, null, time);
  expect(await listRealTime(database)).toEqual([]);
  time.pass(1_000 * 24 * 3_600_000);
  const { rows } = await database.query<{ now: Date; clock: Date }>('select now() as now, clock_timestamp() as clock');
  await database.end();
  for (const shown of Object.values(rows[0] ?? {})) {
    expect(Math.abs(shown.getTime() - time.now())).toBeLessThan(60_000);
  }
});
