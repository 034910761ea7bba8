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

test('also if amount and fee are two debits', async () => {
  for (const [currency, legs] of [
    ['EUB', 'two'],
    ['EUC', 'apart'],
  ] as const) {
    const world = new LedgerWorld(testDatabase, currency);
    world.balance = 100;
    await world.approveRun([20]);
    const paymentId = world.runs[0]?.paymentIds[0] ?? '';
    await world.create(paymentId, 2, 'took_effect');
    expect(await world.fund(paymentId, 'answered', legs)).toBe('funded');
    const raw = new Date(Date.now() - 60_000).toISOString();
    for (const debit of world.entries) debit.date = { raw, epochMs: Date.parse(raw) };
    const left = world.balance;
    const parts = world.entries.length;
    world.change(5);
    world.entries.reverse();
    await world.readHistory({ hiding: parts });
    expect(await world.ledger()).toMatchObject({ outside: -left - 5, payment: 22, free: left + 5 - 22 });
    await world.readHistory();
    expect(await world.ledger()).toMatchObject({ outside: -left - 5, payment: 0, free: left + 5 });
    await world.readHistory();
    expect(await world.wrongBalances()).toEqual([]);
  }
});

test('also if one of the two is before the start and the other one after it, whichever is seen first', async () => {
  for (const [currency, isEarlySeenFirst] of [
    ['EUE', false],
    ['EUF', true],
  ] as const) {
    const world = new LedgerWorld(testDatabase, currency);
    world.balance = 100;
    await world.approveRun([20]);
    const paymentId = world.runs[0]?.paymentIds[0] ?? '';
    await world.create(paymentId, 2, 'took_effect');
    expect(await world.fund(paymentId, 'answered', 'two')).toBe('funded');
    const [early, late] = [...world.entries];
    if (early === undefined || late === undefined) throw new Error('it was not debited in two parts');
    const before = new Date(Date.now() - 60_000).toISOString();
    early.date = { raw: before, epochMs: Date.parse(before) };
    world.entries.splice(0, 2, ...(isEarlySeenFirst ? [] : [late, early]));
    if (isEarlySeenFirst) {
      // Of the same transaction, and shown only once the history has begun.
      [early.transactionId, late.transactionId] = ['both', 'both'];
      world.balance += 2;
      world.change(5);
      world.entries.push(early);
      await world.readHistory({ hiding: 1 });
      await world.readHistory();
      expect(await world.ledger()).toMatchObject({ payment: 22 });
      world.change(-2, { isOurs: true, transactionId: 'both' });
    } else {
      await world.readHistory({ hiding: 1 });
    }
    await world.readHistory();
    await world.readHistory();
    expect([currency, await world.ledger()]).toMatchObject([currency, { payment: 0, free: world.balance }]);
    expect(await world.wrongBalances()).toEqual([]);
  }
});

test('a debit in two parts costs the same among 100,000 equal payments', async () => {
  const world = new LedgerWorld(testDatabase, 'EUD');
  world.change(1_000);
  await world.readHistory();
  const { database } = testDatabase;
  await database.query(
    `insert into ledger_balances (account, currency, ledger_account, amount, principal, funding_begun_at)
     select 'default', 'EUD', 'payment/' || gen_random_uuid() || '-1', 102.5, principal, now() - interval '1 hour'
     from generate_series(1, 50000) cross join unnest(array[100, 101]) as principals (principal)`,
  );
  await database.query('analyze ledger_balances');
  world.change(-100);
  world.change(-2.5);
  const began = performance.now();
  await world.readHistory();
  // Of all of them it was asked whether their debit is certain: seconds.
  expect(performance.now() - began).toBeLessThan(500);
  const { rows } = await database.query(
    `select from ledger_transfers where currency = 'EUD' and reason = 'matched_later' and debit like 'payment/%'`,
  );
  expect(rows).toHaveLength(1);
});
