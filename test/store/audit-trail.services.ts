import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAuditEntries, listGlobalAuditEntries } from '../../store/audit/audit-trail.ts';
import { appendAudit } from '../../store/audit/audit.ts';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import { transitionRun } from '../../store/runs/run-transition.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aStoredRun, withoutDuplicates } from './a-stored-run.ts';

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
  await withoutDuplicates(database, runId);
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

describe('the trail of what belongs to no run', () => {
  const EVERYTHING = { afterEntry: 0, limit: 1_000, kind: null, from: null, to: null, actor: null, newestFirst: false };
  const list = (page: Partial<Parameters<typeof listGlobalAuditEntries>[1]>) =>
    listGlobalAuditEntries(testDatabase.database, { ...EVERYTHING, ...page });

  const PERSON = randomUUID();

  beforeAll(async () => {
    for (const kind of ['one', 'two', 'three']) {
      await appendAudit(testDatabase.database, { actor: 'server', kind });
    }
    await appendAudit(testDatabase.database, { actor: PERSON, kind: 'four' });
  });

  test('is read from either end, page by page', async () => {
    const all = await list({});
    const newest = await list({ newestFirst: true });
    expect(newest).toEqual(all.toReversed());
    const first = await list({ newestFirst: true, limit: 2 });
    expect(first).toEqual(newest.slice(0, 2));
    const next = await list({ newestFirst: true, afterEntry: first.at(-1)?.entryId ?? 0 });
    expect(next).toEqual(newest.slice(2));
  });

  test('ends before a time, and is that of one person alone', async () => {
    const all = await list({});
    const [first, last] = [all[0]?.at ?? new Date(), all.at(-1)?.at ?? new Date()];
    // Times are read to the millisecond, and kept to the microsecond.
    const later = new Date(last.getTime() + 1);
    expect(await list({ to: first })).toEqual([]);
    expect(await list({ to: later })).toEqual(all);
    expect(await list({ from: later })).toEqual([]);
    expect((await list({ actor: 'server' })).map(({ kind }) => kind)).toEqual(['one', 'two', 'three']);
    expect((await list({ actor: PERSON })).map(({ kind }) => kind)).toEqual(['four']);
    expect(await list({ actor: PERSON, kind: 'one' })).toEqual([]);
  });
});
