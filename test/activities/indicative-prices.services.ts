import { afterAll, beforeAll, expect, test } from 'vitest';
import { priceOf, quoteIndicationActivity } from '../../activities/runs/quote-indication.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { Quote } from '../../provider/payments/simple-payment-fields.ts';
import { keepRatesOfRun } from '../../store/approvals/run-approval.ts';
import { readExpectedCosts } from '../../store/runs/proposal-totals.ts';
import { listRows } from '../../store/runs/run-rows.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { aStoredRun, beneficiaryAt } from '../store/a-stored-run.ts';
import { type ActivitiesUnderTest, asActivity, startActivities } from './activities-under-test.ts';

let under: ActivitiesUnderTest;
beforeAll(async () => {
  under = await startActivities();
});
afterAll(() => under.stop());

const ALL = { afterLine: 0, limit: 10, state: null };
const sold = { amount: '100.00', amountSide: 'sell', sellCurrency: 'USD', buyCurrency: 'GBP' } as const;

async function aRun(parts: readonly Partial<PaymentInstruction>[]): Promise<string> {
  const { runId } = await aStoredRun(under.testDatabase.database, parts.length, (n) => parts[n - 1] ?? {});
  return runId;
}

const ask = (runId: string) => asActivity(() => quoteIndicationActivity(under.dependencies)({ runId }));

const forget = () => bypassTriggers(under.testDatabase.database, 'delete from indicative_prices', []);

test('each row is expected to cost what one quote of its pair gives, with fees, and totals are the sums of rows', async () => {
  await forget();
  const runId = await aRun([sold, { ...sold, amount: '50.00' }, { ...sold, amount: '25.00', amountSide: 'buy' }]);
  expect(await ask(runId)).toEqual({ left: 0 });
  await keepRatesOfRun(under.testDatabase.asWorker, runId);
  const rows = (await listRows(under.testDatabase.asServer, runId, ALL)).map(({ expected }) => expected);
  const [cost, ...others] = await readExpectedCosts(under.testDatabase.asWorker, runId);
  expect(others).toEqual([]);
  const sum = (of: 'sells' | 'buys' | 'fees') =>
    (rows.reduce((total, row) => total + Math.round(Number(row[of]) * 100), 0) / 100).toFixed(2);
  expect(cost).toMatchObject({ sellCurrency: 'USD', buyCurrency: 'GBP', channel: null, rows: 3 });
  expect([cost?.sells, cost?.buys, cost?.fees]).toEqual([sum('sells'), sum('buys'), sum('fees')]);
  expect(rows[0]?.sells).toBe('100.00');
  expect(rows[2]?.buys).toBe('25.00');
  // The sandbox asks 10 USD a payment without beneficiary, and a quarter of a percent for a conversion.
  expect(rows[0]?.fees).toBe('10.25');
  expect(Number(rows[1]?.buys)).toBeCloseTo(Number(rows[0]?.buys) / 2, 1);
});

test('a price is asked for once a minute, whatever the number of runs, and never for a beneficiary', async () => {
  await forget();
  const before = under.sent('simple-payment-quote');
  const runs = [await aRun([sold]), await aRun([sold])];
  await Promise.all(runs.map(ask));
  await ask(runs[0] ?? '');
  expect(under.sent('simple-payment-quote') - before).toBe(1);
});

test('each pair and channel has its own price, that of most rows first', async () => {
  await forget();
  const runId = await aRun([sold, { ...sold, buyCurrency: 'EUR' }, { ...sold, buyCurrency: 'EUR' }]);
  expect(await ask(runId)).toEqual({ left: 1 });
  await keepRatesOfRun(under.testDatabase.asWorker, runId);
  const costs = await readExpectedCosts(under.testDatabase.asWorker, runId);
  expect(costs.map(({ buyCurrency, rate, fees }) => [buyCurrency, rate !== null, fees !== null])).toEqual([
    ['EUR', true, true],
    ['GBP', false, false],
  ]);
});

test('a price that was refused stays unknown, and what rows fix is known all the same', async () => {
  await forget();
  const runId = await aRun([{ ...sold, buyCurrency: 'ZZZ' }]);
  expect(await ask(runId)).toEqual({ left: 0 });
  await keepRatesOfRun(under.testDatabase.asWorker, runId);
  expect(await readExpectedCosts(under.testDatabase.asWorker, runId)).toMatchObject([
    { sells: '100.00', buys: null, fees: null, rate: null, quotedAt: null },
  ]);
});

test('a row that can be paid locally is priced so, as the provider prefers it', async () => {
  await forget();
  await under.testDatabase.database.query(
    `insert into reference_data (account, kind, key, content) values ('default', 'local_currencies', '*', '["GBP-GB"]')`,
  );
  const paid = { ...sold, ...beneficiaryAt('12345678') };
  const runId = await aRun([paid, { ...paid, paymentChannel: 'SWIFT-SHA' }]);
  await ask(runId);
  await ask(runId);
  await keepRatesOfRun(under.testDatabase.asWorker, runId);
  const costs = await readExpectedCosts(under.testDatabase.asWorker, runId);
  expect(costs.map(({ channel, fees }) => [channel, fees])).toEqual([
    ['LOCAL', '1.75'],
    ['SWIFT-SHA', '10.25'],
  ]);
});

test('a price of the day before is not used', async () => {
  await forget();
  const runId = await aRun([sold]);
  await ask(runId);
  await bypassTriggers(
    under.testDatabase.database,
    `update indicative_prices set quoted_at = quoted_at - interval '25 hours'`,
    [],
  );
  await keepRatesOfRun(under.testDatabase.asWorker, runId);
  expect(await readExpectedCosts(under.testDatabase.asWorker, runId)).toMatchObject([{ fees: null }]);
});

test('what is left of the fees beside the conversion is for each payment', () => {
  const way = { sellCurrency: 'USD', buyCurrency: 'GBP' };
  const quote = {
    ...way,
    sellAmount: '200.00',
    buyAmount: '150.00',
    totalAmount: '202.00',
    conversionFee: '0.50',
  } as Quote;
  expect(priceOf(quote, way)).toMatchObject({
    rate: '0.750000000000',
    feeShare: '0.002500000000',
    feePerPayment: '1.50',
  });
  expect(priceOf({ ...quote, conversionFee: null }, way)).toMatchObject({
    feeShare: '0.000000000000',
    feePerPayment: '2.00',
  });
  expect(priceOf({ ...quote, buyCurrency: 'EUR' }, way)).toBeNull();
});
