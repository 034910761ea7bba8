import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAuditEntries } from '../../store/audit/audit-trail.ts';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import { transitionRun } from '../../store/runs/run-transition.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aStoredRun } from './a-stored-run.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

const ALL = { afterEntry: 0, limit: 100, rowRef: null, byPeople: false };

test('the trail of a run shows users and rows in order, page by page', async () => {
  const { database } = testDatabase;
  const { runId, makerId, paymentIds } = await aStoredRun(database, 2);
  await aStoredRun(database);
  await transitionRun(database, runId, { to: 'proposed' });
  for (const paymentId of paymentIds) {
    await transitionPayment(database, { paymentId, to: 'held', kind: 'held', update: {}, detail: { code: 'x' } });
  }
  const all = await listAuditEntries(database, runId, { ...ALL, limit: 10 });
  expect(all.map(({ person, actor, kind, rowRef, line }) => [person, actor, kind, rowRef, line])).toEqual([
    [`Maker of ${runId}`, makerId, 'run_submitted', null, null],
    [null, 'worker', 'run_proposed', null, null],
    [null, 'worker', 'held', 'row-1', 2],
    [null, 'worker', 'held', 'row-2', 3],
  ]);
  const page = { ...ALL, afterEntry: all[1]?.entryId ?? 0, limit: 1 };
  expect(await listAuditEntries(database, runId, page)).toEqual([all[2]]);
  expect(await listAuditEntries(database, runId, { ...page, afterEntry: 0, limit: 10, rowRef: 'row-2' })).toEqual([
    all[3],
  ]);
  expect(await listAuditEntries(database, randomUUID(), { ...page, afterEntry: 0 })).toEqual([]);
  expect(await listAuditEntries(database, runId, { ...ALL, limit: 10, byPeople: true })).toEqual([all[0]]);
});
