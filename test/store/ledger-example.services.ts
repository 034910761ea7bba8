import { afterAll, beforeAll, expect, test } from 'vitest';
import { tableUnder } from '../helpers/document-tables.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { LedgerWorld } from './ledger-world.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

/** Each step of the document, by its words. */
function stepsIn(world: LedgerWorld): Readonly<Record<string, () => Promise<void>>> {
  const paymentOf = (run: number): string => world.runs[run]?.paymentIds[0] ?? '';
  const change = async (amount: number): Promise<void> => {
    world.change(amount);
    await world.readHistory();
  };
  let hidden = 0;
  return {
    'the history shows a balance of 100': () => change(100),
    'run A of 60 is approved': async () => {
      await world.approveRun([60]);
    },
    'run B of 70 is approved, and lacks 30': async () => {
      await world.approveRun([70]);
    },
    'a conversion of 10 gets no money': async () => {
      expect(await world.commitConversion('ten', 10)).toBe(false);
    },
    'the payment of run A is created and funded': async () => {
      await world.create(paymentOf(0), 0, 'took_effect');
      expect(await world.fund(paymentOf(0), 'answered')).toBe('funded');
    },
    'the payment of run B is created, and waits': async () => {
      await world.create(paymentOf(1), 0, 'took_effect');
      expect(await world.fund(paymentOf(1), 'answered')).toBe('not_begun');
      expect(await world.stateOf(paymentOf(1))).toBe('awaiting_funds');
    },
    'the history shows the debit of 60': () => world.readHistory(),
    '50 arrive': () => change(50),
    'the payment of run B is woken and funded': async () => {
      expect(await world.fund(paymentOf(1), 'answered')).toBe('funded');
      hidden = 1;
    },
    'a conversion of 15 commits its money': async () => {
      expect(await world.commitConversion('fifteen', 15)).toBe(true);
    },
    'somebody takes 8 at the provider': async () => {
      // Before the debit of run B.
      const debit = world.entries.pop();
      world.balance += Number(debit?.amountBefore) - Number(debit?.amountAfter);
      world.change(-8);
      world.change(-70, { isOurs: true });
      await world.readHistory({ hiding: hidden });
    },
    'the history shows the debit of 70': () => world.readHistory(),
  };
}

test('the worked example of the document is what the ledger does', async () => {
  const world = new LedgerWorld(testDatabase, 'EUR');
  const steps = stepsIn(world);
  const rows = tableUnder('treasury.md', 'A worked example');
  expect(rows.map(({ step }) => step)).toEqual(Object.keys(steps));
  for (const { step = '', ...amounts } of rows) {
    await steps[step]?.();
    const { outside, free, run, payment, conversion } = await world.ledger();
    const held = { outside, free, runs: run, payments: payment, conversions: conversion };
    expect([step, Object.fromEntries(Object.entries(held).map(([name, amount]) => [name, String(amount)]))]).toEqual([
      step,
      amounts,
    ]);
  }
});
