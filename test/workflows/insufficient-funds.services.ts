import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paymentWorkflowId } from '../../domain/identifiers.ts';
import type { PayrunUnderTest } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid, untilQuiet } from '../helpers/run-under-test.ts';
import { depositMoney, expectPaidOnce, setBalance } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';
import { FUNDS_QUIET_MS, startWithoutLedger, untilWaiting, waitingOf } from '../helpers/waiting-for-money.ts';

const CONCURRENCY_LIMIT = 3;

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startWithoutLedger({ concurrencyLimitOf: () => CONCURRENCY_LIMIT });
});
afterAll(() => payrun.stop());

const balanceReads = () => payrun.sandbox.ledger().requests.byOperation['balance-find'] ?? 0;

describe('an insufficient balance', () => {
  test('makes the rest of the run wait for funds, and fails no payment', async () => {
    await setBalance(payrun.sandbox, 'USD', '150.00');
    const runId = await beginRun(payrun, newRows(3, { amount: '100.00' }));
    const waiting = await untilWaiting(payrun, runId, 2);
    // One request each: payments that wait for funds do not use up the rate limit.
    expect(waiting.map(({ asked }) => asked)).toEqual([1, 1]);
    await until(async () => (await payrun.application.findRun(runId))?.rows.paid === 1);
    expect(await payrun.application.findRun(runId)).toMatchObject({ state: 'running', rows: { awaiting_funds: 2 } });

    await depositMoney(payrun.sandbox, 'USD', '1000.00');
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'completed', rows: { paid: 3 } });
    await expectPaidOnce(payrun, runId);
  });

  test('is read once, however many events report funds', async () => {
    await setBalance(payrun.sandbox, 'USD', '0.00');
    const runId = await beginRun(payrun, newRows(2, { amount: '100.00' }));
    await untilWaiting(payrun, runId, 2);
    const before = balanceReads();
    await Promise.all(Array.from({ length: 40 }, () => depositMoney(payrun.sandbox, 'USD', '1.00')));
    await until(() => Promise.resolve(balanceReads() > before));
    await new Promise((resolve) => setTimeout(resolve, 3 * FUNDS_QUIET_MS));
    expect(balanceReads()).toBe(before + 1);
    // The funds cover none of them, so no fund request was sent.
    expect((await waitingOf(payrun, runId)).map(({ asked }) => asked)).toEqual([1, 1]);
    await depositMoney(payrun.sandbox, 'USD', '1000.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });

  test('alone decides: no signal makes a payment be funded', async () => {
    await setBalance(payrun.sandbox, 'USD', '0.00');
    const runId = await beginRun(payrun, newRows(1, { amount: '100.00' }));
    const [first] = await untilWaiting(payrun, runId, 1);
    const handle = payrun.temporal.workflow.getHandle(paymentWorkflowId(first?.paymentId ?? ''));
    const before = (await handle.describe()).historyLength;
    await handle.signal('paymentEnded', { state: 'paid' });
    await handle.signal('fundsArrived');
    await handle.signal('stopChanged');
    // It read the database, and waits again.
    expect(await untilQuiet(handle)).toBeGreaterThan(before);
    expect(await waitingOf(payrun, runId)).toEqual([{ ...first, asked: 1 }]);

    await depositMoney(payrun.sandbox, 'USD', '500.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });

  test('of one currency delays no other, and rows that are not begun need no requests', async () => {
    await setBalance(payrun.sandbox, 'USD', '100000.00');
    await setBalance(payrun.sandbox, 'EUR', '100000.00');
    await setBalance(payrun.sandbox, 'SGD', '0.00');
    // More rows in the currency without funds than fit within the concurrency limit: four.
    const rows = Array.from({ length: 8 }, (_, n) =>
      newRows(1, { amount: '100.00', sell_currency: ['SGD', 'SGD', 'USD', 'EUR'][n % 4] ?? '' }),
    ).flat();
    const runId = await beginRun(payrun, rows);
    await until(async () => (await payrun.application.findRun(runId))?.rows.paid === 4);
    const { rows: states } = await payrun.database.query<{ state: string; begun: boolean; rows: number }>(
      `select state, workflow_begun_at is not null as begun, count(*)::int as rows from payments
       where run_id = $1 and sell_currency = 'SGD' group by 1, 2 order by 1`,
      [runId],
    );
    expect(states.map(({ state, begun }) => [state, begun])).toEqual([
      ['awaiting_funds', true],
      ['ready', false],
    ]);
    await depositMoney(payrun.sandbox, 'SGD', '20000.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });
});
