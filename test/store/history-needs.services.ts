import { afterAll, beforeAll, expect, test } from 'vitest';
import { readHistoryNeeds } from '../../store/accounts/history-needs.ts';
import { noteRange } from '../../store/accounts/history-ranges.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';

/** When the history of an account is to be read, by the database. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

test('a read of a gap is no read of news, so that none of these waits for a gap to be closed', async () => {
  const account = 'gaps';
  const { asWorker } = testDatabase;
  const toMs = Date.now();
  const range = { account, fromMs: toMs - 1, toMs, entries: 0, added: 0, unreadable: 0, conflicting: 0 };
  const minutesAgo = (minutes: number): string => new Date(toMs - minutes * 60_000).toISOString();
  await noteRange(asWorker, { ...range, isGap: false, readAt: minutesAgo(10) });
  await noteRange(asWorker, { ...range, isGap: true, readAt: minutesAgo(1) });
  const { sinceLastReadMs, sinceGapReadMs } = await readHistoryNeeds(asWorker, account, null);
  expect(sinceLastReadMs).toBeGreaterThanOrEqual(600_000);
  expect(sinceGapReadMs).toBeLessThan(600_000);
  expect((await readHistoryNeeds(asWorker, account, 5_000, 0)).sinceLastReadMs).toBeLessThan(600_000);
});
