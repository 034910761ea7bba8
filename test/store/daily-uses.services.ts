import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUploadAdmission } from '../../application/users/daily-quotas.ts';
import type { ApplicationDependencies, Quotas } from '../../application/application-dependencies.ts';
import { readDatabaseSize } from '../../store/database/database-size.ts';
import { useDailyAs } from '../../store/users/daily-uses.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

const TOO_MANY = { code: 'too_many', facts: { retryAfterSeconds: expect.any(Number) as number } };
const use = ({ tokenHash }: TestUser, bytes: number, limit: Parameters<typeof useDailyAs>[3]) =>
  useDailyAs(testDatabase.asServer, tokenHash, { kind: 'upload', bytes }, limit);

test('a user has so many of a kind in a day, also if they come at the same time', async () => {
  const [mia, max] = [await aUser(testDatabase, 'Mia', 'maker'), await aUser(testDatabase, 'Max', 'maker')];
  const limit = { uses: 3, bytes: null };
  const tried = await Promise.allSettled(Array.from({ length: 8 }, () => use(mia, 1, limit)));
  expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  await expect(use(mia, 1, limit)).rejects.toMatchObject(TOO_MANY);
  await use(max, 1, limit);
  await useDailyAs(testDatabase.asServer, mia.tokenHash, { kind: 'report', bytes: 0 }, limit);
  await use(mia, 1, { uses: null, bytes: null });
});

test('a user has so many bytes in a day; what is refused is not counted', async () => {
  const mary = await aUser(testDatabase, 'Mary', 'maker');
  const limit = { uses: null, bytes: 1_000 };
  await use(mary, 600, limit);
  await expect(use(mary, 401, limit)).rejects.toMatchObject(TOO_MANY);
  await use(mary, 400, limit);
  await expect(use(mary, 1, limit)).rejects.toMatchObject(TOO_MANY);
});

test('another day begins with nothing, and the former one is removed', async () => {
  const moe = await aUser(testDatabase, 'Moe', 'maker');
  const limit = { uses: 1, bytes: null };
  await use(moe, 1, limit);
  await testDatabase.database.query('update daily_uses set day = day - 1 where user_id = $1', [moe.userId]);
  await use(moe, 1, limit);
  const { rows } = await testDatabase.database.query('select uses from daily_uses where user_id = $1', [moe.userId]);
  expect(rows).toEqual([{ uses: 1 }]);
});

test('no files are received while the database has only its reserve left', async () => {
  const megan = await aUser(testDatabase, 'Megan', 'maker');
  const size = await readDatabaseSize(testDatabase.asServer);
  expect(size).toBeGreaterThan(1_000_000);
  let now = 0;
  const unlimited = { uses: null, bytes: null };
  const admission = (databaseLimitBytes: number | null) => {
    const quotas: Quotas = { uploads: unlimited, reports: unlimited, databaseLimitBytes, databaseReserveBytes: 1e6 };
    const parts = { database: testDatabase.asServer, settings: { quotas }, now: () => now };
    return createUploadAdmission(parts as unknown as ApplicationDependencies);
  };
  await admission(null)(megan, 1e12);
  const admit = admission(size + 5e6);
  const noRoom = { code: 'unavailable', message: expect.stringContaining('only its reserve left') as string };
  await expect(admit(megan, 5e6)).rejects.toMatchObject(noRoom);
  await admit(megan, 2e6);
  // What was admitted since the size was read counts.
  await expect(admit(megan, 3e6)).rejects.toMatchObject(noRoom);
  now += 60_000;
  await admit(megan, 1e6);
});
