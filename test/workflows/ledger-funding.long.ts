import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { paymentWorkflowId } from '../../domain/identifiers.ts';
import type { PayrunUnderTest } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid, untilQuiet } from '../helpers/run-under-test.ts';
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
import { setFollowedBalance, startWithLedger, untilWaiting, waitingOf } from '../helpers/waiting-for-money.ts';

/** What is rarer where the ledger decides what is funded. */

const CONCURRENCY_LIMIT = 5;

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startWithLedger({ concurrencyLimitOf: () => CONCURRENCY_LIMIT });
});
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

describe('a payment that waits for the ledger', () => {
  test('is funded by no signal, and waits again', async () => {
    await setFollowedBalance(payrun, 'USD', '5.00');
    const runId = await beginRun(payrun, newRows(1, { amount: '100.00' }));
    const [first] = await untilWaiting(payrun, runId, 1);
    const handle = payrun.temporal.workflow.getHandle(paymentWorkflowId(first?.paymentId ?? ''));
    const before = (await handle.describe()).historyLength;
    await handle.signal('paymentEnded', { state: 'paid' });
    await handle.signal('fundsArrived');
    await handle.signal('stopChanged');
    expect(await untilQuiet(handle)).toBeGreaterThan(before);
    expect((await waitingOf(payrun, runId)).map(({ asked }) => asked)).toEqual([0]);
    await depositMoney(payrun.sandbox, 'USD', '500.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });

  test('keeps no smaller one behind it from being paid', async () => {
    await setFollowedBalance(payrun, 'USD', '1.00');
    const rows = ['400.00', '100.00', '900.00', '50.00'].flatMap((amount) => newRows(1, { amount }));
    const runId = await beginRun(payrun, rows);
    await untilWaiting(payrun, runId, 4);
    await depositMoney(payrun.sandbox, 'USD', '600.00');
    await until(async () => (await payrun.application.findRun(runId))?.rows.paid === 3);
    const left = await untilWaiting(payrun, runId, 1);
    expect(left).toMatchObject([{ rowRef: rows[2]?.row_ref, asked: 0 }]);
    await depositMoney(payrun.sandbox, 'USD', '1000.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });

  test('lets the rows of another run continue once it no longer waits', async () => {
    await setFollowedBalance(payrun, 'SGD', '1.00');
    const before = await beginRun(payrun, newRows(1, { amount: '100.00', sell_currency: 'SGD' }));
    await untilWaiting(payrun, before, 1);
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

  test('does not wait for a history that cannot be read for long: the provider is asked', async () => {
    await setFollowedBalance(payrun, 'USD', '5.00');
    const runId = await beginRun(payrun, newRows(1, { amount: '100.00' }));
    await untilWaiting(payrun, runId, 1);
    await orderFaults(payrun.sandbox, {
      operation: 'balance-history',
      kind: 'error_before',
      status: 500,
      times: 10_000,
    });
    await payrun.database.query(`update history_ranges set read_at = read_at - interval '31 minutes'`);
    await depositMoney(payrun.sandbox, 'USD', '1000.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });
});

describe('money of which no webhook tells', () => {
  let withoutWebhooks: PayrunUnderTest;

  beforeAll(async () => {
    // Nobody who looks at the balances has them read.
    withoutWebhooks = await startWithLedger({ history: { keepMs: 0 } });
  });
  afterAll(() => withoutWebhooks.stop());

  test('wakes a payment that began to wait after the watch had planned its next read', async () => {
    await setFollowedBalance(withoutWebhooks, 'USD', '5.00');
    const runId = await beginRun(withoutWebhooks, newRows(1, { amount: '100.00' }));
    await until(async () => (await withoutWebhooks.application.findRun(runId))?.rows.awaiting_funds === 1);
    // The watch would look again after a quarter of an hour.
    await setBalance(withoutWebhooks.sandbox, 'USD', '500.00');
    expect((await untilPaid(withoutWebhooks, runId)).state).toBe('completed');
    await expectPaidOnce(withoutWebhooks, runId);
  });
});
