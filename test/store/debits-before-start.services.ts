import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { LedgerWorld } from './ledger-world.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

test('a history that begins later frees what was committed to a payment whose debit turns out to be of before its start', async () => {
  const world = new LedgerWorld(testDatabase, 'EUA');
  world.balance = 100;
  await world.approveRun([20]);
  const paymentId = world.runs[0]?.paymentIds[0] ?? '';
  await world.create(paymentId, 0, 'took_effect');
  expect(await world.fund(paymentId, 'answered')).toBe('funded');
  const [debit] = world.entries;
  const raw = new Date(Date.now() - 60_000).toISOString();
  if (debit !== undefined) debit.date = { raw, epochMs: Date.parse(raw) };
  world.change(5);
  // The later one is listed first.
  world.entries.reverse();
  await world.readHistory({ hiding: 1 });
  expect(await world.ledger()).toMatchObject({ outside: -85, payment: 20, free: 65 });
  await world.readHistory();
  expect(await world.ledger()).toMatchObject({ outside: -85, payment: 0, free: 85 });
  await world.readHistory();
  expect(await world.wrongBalances()).toEqual([]);
  const { rows } = await testDatabase.database.query('select kind from money_alarms where ended_at is null');
  expect(rows).toEqual([]);
});
