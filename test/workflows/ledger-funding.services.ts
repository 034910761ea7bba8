import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type PayrunUnderTest, untilRun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, submitRows, untilPaid } from '../helpers/run-under-test.ts';
import {
  clearFaults,
  depositMoney,
  expectPaidOnce,
  orderFaults,
  paymentsAt,
  setBalance,
} from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';
import { setFollowedBalance, startWithLedger, untilWaiting } from '../helpers/waiting-for-money.ts';

/** What is funded where the ledger decides: the history of the balances can be followed. */

const CONCURRENCY_LIMIT = 3;

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startWithLedger({ concurrencyLimitOf: () => CONCURRENCY_LIMIT });
});
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

/** Money of the ledger that is neither free nor outside. */
async function committed(currency: string): Promise<number> {
  const [account] = await payrun.application.listBalances(payrun.checker, { account: null, currency });
  return Number(account?.balances[0]?.committed);
}

/** What is reserved for a run by currency, and what it lacks. */
async function reservedFor(runId: string): Promise<[currency: string, amount: number, missing: number | null][]> {
  const { reserved = [] } = (await payrun.application.findRun(runId)) ?? {};
  return reserved.map(({ currency, amount, missing }) => [
    currency,
    Number(amount),
    missing === null ? null : Number(missing),
  ]);
}

describe('a payment whose money is not there by the ledger', () => {
  test('waits without a request to fund it, and is paid when money arrives, in the order of the file', async () => {
    await setFollowedBalance(payrun, 'USD', '150.00');
    const runId = await beginRun(payrun, newRows(3, { amount: '100.00' }));
    const waiting = await untilWaiting(payrun, runId, 2);
    expect(waiting.map(({ asked }) => asked)).toEqual([0, 0]);
    await until(async () => (await payrun.application.findRun(runId))?.rows.paid === 1);
    await depositMoney(payrun.sandbox, 'USD', '60.00');
    const left = await untilWaiting(payrun, runId, 1);
    expect(left).toEqual(waiting.slice(1));
    await depositMoney(payrun.sandbox, 'USD', '500.00');
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'completed', rows: { paid: 3 } });
    await expectPaidOnce(payrun, runId);
    await until(async () => (await committed('USD')) === 0);
  });

  test('does not keep payments of other currencies from being paid', async () => {
    await setFollowedBalance(payrun, 'EUR', '10.00');
    await setFollowedBalance(payrun, 'SGD', '100000.00');
    const rows = [
      ...newRows(CONCURRENCY_LIMIT + 1, { amount: '100.00', sell_currency: 'EUR' }),
      ...newRows(2, { amount: '100.00', sell_currency: 'SGD' }),
    ];
    const runId = await beginRun(payrun, rows);
    await until(async () => (await payrun.application.findRun(runId))?.rows.paid === 2);
    await depositMoney(payrun.sandbox, 'EUR', '20000.00');
    expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: CONCURRENCY_LIMIT + 3 });
    await expectPaidOnce(payrun, runId);
  });
});

describe('two runs', () => {
  test('never count the same money: what the first has reserved is shown as committed, and the second waits', async () => {
    await setFollowedBalance(payrun, 'USD', '150.00');
    // It is due as early as the second, which takes nothing from it.
    const first = await beginRun(payrun, newRows(1, { amount: '200.00' }));
    await untilWaiting(payrun, first, 1);
    // With the fees that its quote has shown.
    await until(async () => (await reservedFor(first))[0]?.[2] === 52);
    expect(await committed('USD')).toBe(150);
    expect(await reservedFor(first)).toEqual([['USD', 150, 52]]);
    const second = await submitRows(payrun, newRows(1, { amount: '120.00' }));
    const proposed = await payrun.application.findRun(second);
    const funds = proposed?.proposal?.funds.map((of) => [
      of.currency,
      Number(of.needed),
      Number(of.balance),
      Number(of.committed),
    ]);
    // With the fees that are expected.
    expect(funds).toEqual([['USD', 121.8, 150, 202]]);
    await payrun.application.approveRun(payrun.checker, second, {
      comment: null,
      contentHash: proposed?.proposal?.contentHash ?? '',
    });
    await until(async () => (await payrun.application.findRun(second))?.state === 'running');
    expect(await reservedFor(second)).toEqual([['USD', 0, 120]]);
    expect((await payrun.application.findRun(second))?.rows).toEqual({ ready: 1 });
    // The provider would have paid it.
    expect(payrun.sandbox.ledger().balances).toMatchObject({ USD: '150.00' });
    await depositMoney(payrun.sandbox, 'USD', '20000.00');
    expect((await untilPaid(payrun, first)).state).toBe('completed');
    await expectPaidOnce(payrun, first);
    expect((await untilPaid(payrun, second)).state).toBe('completed');
    await expectPaidOnce(payrun, second);
  });

  test('share the money by their dates: what is due today is paid with what was reserved for later', async () => {
    await setFollowedBalance(payrun, 'USD', '150.00');
    const later = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    const first = await beginRun(payrun, newRows(1, { amount: '100.00', pay_on: later }));
    await until(async () => (await committed('USD')) === 100);
    expect(await reservedFor(first)).toEqual([['USD', 100, null]]);
    const second = await beginRun(payrun, newRows(1, { amount: '120.00' }));
    expect((await untilPaid(payrun, second)).state).toBe('completed');
    await expectPaidOnce(payrun, second);
    expect(await reservedFor(first)).toEqual([['USD', 28.2, 71.8]]);
    await payrun.application.stopPayments(payrun.maker, { scope: 'run', runId: first }, null);
    await payrun.application.cancelRun(payrun.checker, first, null);
    await untilRun(payrun.application, first, 'cancelled');
  });
});

describe('where the ledger has not the last word', () => {
  test('a payment that the provider refuses although the ledger has the money waits for a balance', async () => {
    await setFollowedBalance(payrun, 'USD', '500.00');
    await orderFaults(payrun.sandbox, {
      operation: 'balance-history',
      kind: 'error_before',
      status: 500,
      times: 10_000,
    });
    // Taken by somebody else.
    await setBalance(payrun.sandbox, 'USD', '5.00');
    const runId = await beginRun(payrun, newRows(1, { amount: '100.00' }));
    expect((await untilWaiting(payrun, runId, 1)).map(({ asked }) => asked)).toEqual([1]);
    await clearFaults(payrun.sandbox);
    await depositMoney(payrun.sandbox, 'USD', '1000.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });
});

describe('money that never arrives', () => {
  let short: PayrunUnderTest;

  beforeAll(async () => {
    // After that time the provider accepts no funding.
    short = await startWithLedger({
      concurrencyLimitOf: () => CONCURRENCY_LIMIT,
      sandbox: { fundingDeadlineMs: 3_000 },
    });
  });
  afterAll(() => short.stop());

  test('ends the waiting payments after the cut-off time, by a read, and rows that were not begun', async () => {
    await setFollowedBalance(short, 'SGD', '10.00');
    const rows = newRows(CONCURRENCY_LIMIT + 1, { amount: '100.00', sell_currency: 'SGD' });
    const runId = await beginRun(short, rows);
    const run = await untilRun(short.application, runId, 'failed');
    const all = await short.application.listRows(runId, { limit: 100, afterLine: 0, state: null });
    const ends = new Set(all.map(({ state, errorCode }) => `${state} ${errorCode ?? ''}`.trim()));
    expect([...ends].sort()).toEqual(['held funds_not_received_in_time', 'unknown not_funded_in_time']);
    const there = await paymentsAt(short.sandbox);
    expect(there.filter(({ status }) => status === 'awaiting_funds')).toHaveLength(run.rows.unknown ?? -1);
    expect(short.sandbox.ledger().requests.byOperation['simple-payment-fund'] ?? 0).toBe(0);
  });
});
