import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShownRefund } from '../../store/accounts/refunds.ts';
import { tableUnder } from '../helpers/document-tables.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { LedgerWorld } from './ledger-world.ts';
import { listRefundsAs, refundOf, returnsOf, explainReceiptsAs } from './refunds-under-test.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

/** Each step of the document, by its words. */
function stepsIn(world: LedgerWorld): Readonly<Record<string, () => Promise<void>>> {
  const shown: ShownRefund[] = [];
  const paymentOf = (row: 'A' | 'B'): string => world.runs[0]?.paymentIds[row === 'A' ? 0 : 1] ?? '';
  const list = () => listRefundsAs(testDatabase, ...shown);
  const refund = async (row: 'A' | 'B', amount: string): Promise<void> => {
    shown.push(await refundOf(testDatabase, world, paymentOf(row), amount));
    await list();
  };
  const arrive = async (amount: number): Promise<void> => {
    world.change(amount);
    await world.readHistory();
  };
  return {
    'the two rows are paid': async () => {
      await arrive(1_000);
      await world.approveRun([100, 250]);
      for (const row of ['A', 'B'] as const) {
        await world.create(paymentOf(row), 0, 'took_effect');
        expect(await world.fund(paymentOf(row), 'answered')).toBe('funded');
        await world.readHistory();
        await world.end(paymentOf(row), 'paid');
      }
    },
    'a notification says that A is refunded': () => Promise.resolve(),
    'the list shows a refund of 100 for A': () => refund('A', '100'),
    'the history shows a receipt of 100': () => arrive(100),
    'the refunds are listed again': list,
    'the list shows a refund of 40 for B': () => refund('B', '40'),
    'the history shows a receipt of 40, and the refunds are listed': async () => {
      await arrive(40);
      await list();
    },
    'the rest of 210 is refunded and received, and the refunds are listed': async () => {
      await arrive(210);
      await refund('B', '210');
    },
  };
}

test('the worked example of the document is what becomes of refunds', async () => {
  const world = new LedgerWorld(testDatabase, 'EUR');
  const steps = stepsIn(world);
  const rows = tableUnder('treasury.md', 'Two refunds, step by step');
  expect(rows.map(({ step }) => step)).toEqual(Object.keys(steps));
  for (const { step = '', ...reported } of rows) {
    await steps[step]?.();
    await explainReceiptsAs(testDatabase);
    const [a, b] = await returnsOf(testDatabase, world.runs[0]?.paymentIds ?? []);
    const result = {
      ...{ A: a?.state, 'came back of A': String(a?.returned ?? '') },
      ...{ B: b?.state, 'came back of B': String(b?.returned ?? '') },
    };
    expect([step, result]).toEqual([step, reported]);
  }
});
