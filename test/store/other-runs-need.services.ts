import { afterAll, beforeAll, expect, test } from 'vitest';
import { readOtherRunsNeed } from '../../store/runs/other-runs-need.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { anApprovedRun, aStoredRun } from './a-stored-run.ts';

/** What a proposal says that other runs still need, where no ledger says it. */

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

test('counts what is received in the currency that is paid from, and what it is expected to cost elsewhere', async () => {
  const { database, asWorker } = testDatabase;
  const { runId } = await aStoredRun(database);
  const needed = async () =>
    Object.fromEntries(
      (await readOtherRunsNeed(asWorker, { runId, account: 'default' })).byCurrency.map((each) => [
        each.currency,
        each.amount,
      ]),
    );
  await anApprovedRun(database, 2, () => ({
    ...({ amount: '100.00', amountSide: 'buy', sellCurrency: 'EUR', buyCurrency: 'EUR' } as const),
    payOn: '2031-01-02',
  }));
  expect(await needed()).toEqual({ EUR: '200' });

  const converting = await anApprovedRun(database, 1, () => ({
    ...({ amount: '90.00', amountSide: 'buy', sellCurrency: 'EUR', buyCurrency: 'CHF' } as const),
    payOn: '2031-01-02',
  }));
  // Without a price nothing is known of it.
  expect(await needed()).toEqual({ EUR: '200' });
  const price = { rate: '0.9', feeShare: '0.01', feePerPayment: '1.5', quotedAt: '2031-01-01T00:00:00.000Z' };
  await database.query('update runs set indicative_prices = $2 where run_id = $1', [
    converting.runId,
    { local: {}, 'EUR/CHF/': { ...price, sellDecimals: 2, buyDecimals: 2 } },
  ]);
  expect(await needed()).toEqual({ EUR: '302.5' });
});
