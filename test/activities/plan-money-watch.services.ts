import { afterAll, beforeAll, expect, test } from 'vitest';
import { planMoneyWatchActivity } from '../../activities/accounts/plan-money-watch.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { HISTORY_SETTINGS } from '../../domain/accounts/history-schedule.ts';
import { RECEIPT_SETTINGS } from '../../domain/accounts/receipt-schedule.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT, anApprovedRun } from '../store/a-stored-run.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

test('a busy account does not keep the history from being read that decides what is funded', async () => {
  const dependencies = {
    database: testDatabase.asWorker,
    provider: () => ({ virtualAccounts: { canRead: false } }),
    settings: { history: HISTORY_SETTINGS, receipts: RECEIPT_SETTINGS },
  };
  const plan = planMoneyWatchActivity(dependencies as unknown as ActivityDependencies);
  const tries = { sinceTryMs: HISTORY_SETTINGS.everyMs, sinceGapTryMs: null, gapFailures: 0 };
  const input = { account: ACCOUNT, ...tries, sinceRequestedMs: null };
  expect(await plan(input)).toMatchObject({ isWaitedFor: false });
  const { runId } = await anApprovedRun(testDatabase.database);
  expect(await plan(input)).toMatchObject({ history: 'news', isWaitedFor: true, awaitingFunds: 0 });
  await testDatabase.database.query(`update payments set state = 'cancelled', ended_at = now() where run_id = $1`, [
    runId,
  ]);
  expect(await plan(input)).toMatchObject({ history: 'news', isWaitedFor: false });
});
