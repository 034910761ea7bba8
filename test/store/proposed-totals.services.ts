import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../domain/calendar-date.ts';
import { readLocalDay } from '../../store/approvals/local-days.ts';
import { readProposalTotals } from '../../store/runs/proposal-totals.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT, aStoredRun } from './a-stored-run.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

test('rows are counted by the day on which they are due, those without a day and those of the past by today', async () => {
  const { database, asWorker } = testDatabase;
  const today = await readLocalDay(database, ACCOUNT, Date.now());
  const later = addDays(today, 40);
  const days = [null, addDays(today, -3), today, later, later];
  const { runId } = await aStoredRun(database, days.length, (n) => ({ payOn: days[n - 1] ?? null, amount: '10.00' }));
  const totals = await readProposalTotals(asWorker, runId);
  expect(totals.today).toBe(today);
  expect(totals.byCurrency.map(({ due, rows, amount }) => [due, rows, amount])).toEqual([
    [today, 3, '30.00'],
    [later, 2, '20.00'],
  ]);
});
