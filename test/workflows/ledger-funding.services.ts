import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { HISTORY_SETTINGS } from '../../domain/accounts/history-schedule.ts';
import { paymentWorkflowId } from '../../domain/identifiers.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, submitRows, untilPaid, untilQuiet } from '../helpers/run-under-test.ts';
import {
  clearFaults,
  depositMoney,
  expectPaidOnce,
  forcePayment,
  orderFaults,
  paymentsAt,
  setBalance,
} from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';

/** What is funded where the ledger decides: the history of the balances can be followed. */

const WINDOW = 5;
const FUNDS = { readEveryMs: 600_000, quietMs: 300, maxDelayMs: 2_000 };
const HISTORY = { ...HISTORY_SETTINGS, waitingEveryMs: 1_000, quietMs: 200 };

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun({ windowSizeOf: () => WINDOW, settings: { funds: FUNDS, history: HISTORY } });
});
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

const everything = { account: null, currency: null };

/** Sets a balance, and waits until the ledger has it. */
async function follow(currency: string, amount: string, { sandbox, application, checker } = payrun): Promise<void> {
  await setBalance(sandbox, currency, '1.00');
  await setBalance(sandbox, currency, amount);
  await until(async () => {
    const [account] = await application.listBalances(checker, everything);
    const balance = account?.balances.find((one) => one.currency === currency);
    return balance?.historyStatus === 'complete' && Number(balance.amountByHistory) === Number(amount);
  });
}

/** The payments of a run that wait for money, with the number of their fund requests. */
async function waitingOf(runId: string): Promise<{ paymentId: string; rowRef: string; asked: number }[]> {
  const { rows } = await payrun.database.query<{ paymentId: string; rowRef: string; asked: number }>(
    `select payment_id as "paymentId", row_ref as "rowRef", (select count(*)::int from provider_requests requests
       where requests.payment_id = payments.payment_id and operation = 'fund') as asked
     from payments where run_id = $1 and state = 'awaiting_funds' order by row_number`,
    [runId],
  );
  return rows;
}

const untilWaiting = (runId: string, count: number) =>
  until(async () => {
    const waiting = await waitingOf(runId);
    return waiting.length === count ? waiting : null;
  });

/** Money of the ledger that is neither free nor outside. */
async function committed(currency: string): Promise<number> {
  const [account] = await payrun.application.listBalances(payrun.checker, { account: null, currency });
  return Number(account?.balances[0]?.committed);
}

describe('a payment whose money is not there by the ledger', () => {
  test('waits without a request to fund it, and is paid when money arrives, in the order of the file', async () => {
    await follow('USD', '250.00');
    const runId = await beginRun(payrun, newRows(4, { amount: '100.00' }));
    const waiting = await untilWaiting(runId, 2);
    expect(waiting.map(({ asked }) => asked)).toEqual([0, 0]);
    await until(async () => (await payrun.application.findRun(runId))?.rows.paid === 2);
    await depositMoney(payrun.sandbox, 'USD', '60.00');
    const left = await untilWaiting(runId, 1);
    expect(left).toEqual(waiting.slice(1));
    await depositMoney(payrun.sandbox, 'USD', '500.00');
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'completed', rows: { paid: 4 } });
    await expectPaidOnce(payrun, runId);
    await until(async () => (await committed('USD')) === 0);
  });

  test('does not keep payments of other currencies from being paid', async () => {
    await follow('EUR', '10.00');
    await follow('SGD', '100000.00');
    const rows = [
      ...newRows(2 * WINDOW, { amount: '100.00', sell_currency: 'EUR' }),
      ...newRows(3, { amount: '100.00', sell_currency: 'SGD' }),
    ];
    const runId = await beginRun(payrun, rows);
    await until(async () => (await payrun.application.findRun(runId))?.rows.paid === 3);
    await depositMoney(payrun.sandbox, 'EUR', '20000.00');
    expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 2 * WINDOW + 3 });
    await expectPaidOnce(payrun, runId);
  });
});

describe('a payment that waits for the ledger', () => {
  test('is funded by no signal, and waits again', async () => {
    await follow('USD', '5.00');
    const runId = await beginRun(payrun, newRows(1, { amount: '100.00' }));
    const [first] = await untilWaiting(runId, 1);
    const handle = payrun.temporal.workflow.getHandle(paymentWorkflowId(first?.paymentId ?? ''));
    const before = (await handle.describe()).historyLength;
    await handle.signal('paymentSettled', { state: 'paid' });
    await handle.signal('fundsArrived');
    await handle.signal('stopChanged');
    expect(await untilQuiet(handle)).toBeGreaterThan(before);
    expect((await waitingOf(runId)).map(({ asked }) => asked)).toEqual([0]);
    await depositMoney(payrun.sandbox, 'USD', '500.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });

  test('keeps no smaller one behind it from being paid', async () => {
    await follow('USD', '1.00');
    const rows = ['400.00', '100.00', '900.00', '50.00'].flatMap((amount) => newRows(1, { amount }));
    const runId = await beginRun(payrun, rows);
    await untilWaiting(runId, 4);
    await depositMoney(payrun.sandbox, 'USD', '600.00');
    await until(async () => (await payrun.application.findRun(runId))?.rows.paid === 3);
    const left = await untilWaiting(runId, 1);
    expect(left).toMatchObject([{ rowRef: rows[2]?.row_ref, asked: 0 }]);
    await depositMoney(payrun.sandbox, 'USD', '1000.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });

  test('lets the rows of another run continue once it no longer waits', async () => {
    await follow('SGD', '1.00');
    const before = await beginRun(payrun, newRows(1, { amount: '100.00', sell_currency: 'SGD' }));
    await untilWaiting(before, 1);
    const later = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    const runId = await beginRun(payrun, [
      ...newRows(1, { amount: '40.00', sell_currency: 'SGD' }),
      ...newRows(1, { amount: '10.00', sell_currency: 'EUR', pay_on: later }),
    ]);
    await until(async () => (await payrun.application.findRun(runId))?.stateReason?.includes(later) === true);
    const [payment] = (await paymentsAt(payrun.sandbox)).filter(({ referenceId }) => referenceId !== null).slice(-1);
    await forcePayment(payrun.sandbox, payment?.id ?? '', 'rejected');
    await untilPaid(payrun, before);
    await depositMoney(payrun.sandbox, 'SGD', '1000.00');
    await until(async () => (await payrun.application.findRun(runId))?.rows.paid === 1);
  });
});

describe('money of which no webhook tells', () => {
  let withoutWebhooks: PayrunUnderTest;

  beforeAll(async () => {
    // Nobody who looks at the balances has them read.
    withoutWebhooks = await startPayrun({ settings: { funds: FUNDS, history: { ...HISTORY, keepMs: 0 } } });
  });
  afterAll(() => withoutWebhooks.stop());

  test('wakes a payment that began to wait after the watch had planned its next read', async () => {
    await follow('USD', '5.00', withoutWebhooks);
    const runId = await beginRun(withoutWebhooks, newRows(1, { amount: '100.00' }));
    await until(async () => (await withoutWebhooks.application.findRun(runId))?.rows.awaiting_funds === 1);
    // The watch would look again after a quarter of an hour.
    await setBalance(withoutWebhooks.sandbox, 'USD', '500.00');
    expect((await untilPaid(withoutWebhooks, runId)).state).toBe('completed');
    await expectPaidOnce(withoutWebhooks, runId);
  });
});

describe('two runs', () => {
  test('never count the same money: what the first has reserved is shown as committed, and the second waits', async () => {
    await follow('USD', '150.00');
    const later = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    const first = await beginRun(payrun, newRows(1, { amount: '100.00', pay_on: later }));
    await until(async () => (await committed('USD')) === 100);
    const second = await submitRows(payrun, newRows(1, { amount: '120.00' }));
    const proposed = await payrun.application.findRun(second);
    const funds = proposed?.proposal?.funds.map((of) => [
      of.currency,
      Number(of.needed),
      Number(of.balance),
      Number(of.committed),
    ]);
    expect(funds).toEqual([['USD', 120, 150, 100]]);
    await payrun.application.approveRun(payrun.checker, second, {
      comment: null,
      contentHash: proposed?.proposal?.contentHash ?? '',
    });
    expect((await untilWaiting(second, 1)).map(({ asked }) => asked)).toEqual([0]);
    // The provider would have paid it.
    expect(payrun.sandbox.ledger().balances).toMatchObject({ USD: '150.00' });
    await payrun.application.stopPayments(payrun.maker, { scope: 'run', runId: first }, null);
    await payrun.application.cancelRun(payrun.checker, first, null);
    await untilRun(payrun.application, first, 'cancelled');
    expect((await untilPaid(payrun, second)).state).toBe('completed');
    await expectPaidOnce(payrun, second);
  });
});

describe('where the ledger has not the last word', () => {
  test('a payment that the provider refuses although the ledger has the money waits for a balance', async () => {
    await follow('USD', '500.00');
    await orderFaults(payrun.sandbox, {
      operation: 'balance-history',
      kind: 'error_before',
      status: 500,
      times: 10_000,
    });
    // Taken by somebody else.
    await setBalance(payrun.sandbox, 'USD', '5.00');
    const runId = await beginRun(payrun, newRows(1, { amount: '100.00' }));
    expect((await untilWaiting(runId, 1)).map(({ asked }) => asked)).toEqual([1]);
    await clearFaults(payrun.sandbox);
    await depositMoney(payrun.sandbox, 'USD', '1000.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });

  test('a payment does not wait for a history that cannot be read for long: the provider is asked', async () => {
    await follow('USD', '5.00');
    const runId = await beginRun(payrun, newRows(1, { amount: '100.00' }));
    await untilWaiting(runId, 1);
    await orderFaults(payrun.sandbox, {
      operation: 'balance-history',
      kind: 'error_before',
      status: 500,
      times: 10_000,
    });
    await payrun.database.query(`update history_windows set read_at = read_at - interval '31 minutes'`);
    await depositMoney(payrun.sandbox, 'USD', '1000.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });
});

describe('money that never arrives', () => {
  let short: PayrunUnderTest;

  beforeAll(async () => {
    // After that time the provider accepts no funding.
    short = await startPayrun({
      windowSizeOf: () => WINDOW,
      sandbox: { fundingWindowMs: 3_000 },
      settings: { funds: FUNDS, history: HISTORY },
    });
  });
  afterAll(() => short.stop());

  test('ends the waiting payments after the cut-off time, by a read, and rows that were not begun', async () => {
    await follow('SGD', '10.00', short);
    const rows = newRows(2 * WINDOW, { amount: '100.00', sell_currency: 'SGD' });
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
