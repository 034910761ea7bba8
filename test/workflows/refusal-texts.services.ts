import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NonIdempotentOperation } from '../../domain/payments/request-result.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import {
  depositMoney,
  clearFaults,
  expectAllFaultsApplied,
  expectPaidOnce,
  orderFaults,
  paymentsAt,
  setBalance,
} from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';
import { withoutHistory } from '../helpers/without-history.ts';

/** No contract gives the text or status code of a refusal. */
const REFUSALS = [
  { seed: 1, refusal: 402 },
  { seed: 2, refusal: 409 },
  { seed: 3, refusal: 422 },
];
const SEEDS = Number(process.env['REFUSAL_SEEDS'] ?? 1);

describe.each(REFUSALS.slice(0, SEEDS))('with the refusal texts of seed $seed', ({ seed, refusal }) => {
  let payrun: PayrunUnderTest;

  beforeAll(async () => {
    // Where there is a history, the ledger decides before the provider is asked.
    payrun = await startPayrun({ sandbox: { seed }, settings: { visibilityDelayMs: 100 }, startProxy: withoutHistory });
  });
  afterAll(() => payrun.stop());

  const rowsOf = (runId: string) => payrun.application.listRows(runId, { limit: 10, afterLine: 0, state: null });
  const answersOf = async (runId: string, operation: NonIdempotentOperation): Promise<string[]> => {
    const { rows } = await payrun.database.query<{ answer: string }>(
      `select answer from provider_requests join payments using (payment_id)
       where run_id = $1 and operation = $2 and answer is not null order by begun_at`,
      [runId, operation],
    );
    return rows.map(({ answer }) => answer);
  };

  test('a payment waits while funds are short, and never fails', async () => {
    await setBalance(payrun.sandbox, 'USD', '0.00');
    const runId = await beginRun(payrun, newRows(2, { amount: '100.00' }));
    await until(async () => (await answersOf(runId, 'fund')).filter((answer) => answer === 'refused').length === 2);
    // Longer than it takes to give up a funding that is looked up and repeated.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await rowsOf(runId)).map(({ state }) => state)).toEqual(['awaiting_funds', 'awaiting_funds']);
    expect(await answersOf(runId, 'fund')).toHaveLength(2);
    await depositMoney(payrun.sandbox, 'USD', '1000.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });

  test('an expired quote is replaced', async () => {
    await setBalance(payrun.sandbox, 'USD', '1000.00');
    await orderFaults(payrun.sandbox, { operation: 'simple-payment-create', kind: 'quote_dies' });
    const runId = await beginRun(payrun, newRows(1));
    expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 1 });
    await expectAllFaultsApplied(payrun.sandbox);
    await clearFaults(payrun.sandbox);
    await expectPaidOnce(payrun, runId);
  });

  test('a funding that is refused despite enough funds is left to people', async () => {
    await setBalance(payrun.sandbox, 'USD', '1000.00');
    await orderFaults(payrun.sandbox, {
      operation: 'simple-payment-fund',
      kind: 'error_before',
      status: refusal,
      times: 100,
    });
    const runId = await beginRun(payrun, newRows(1));
    const [row] = await until(async () => {
      const rows = await rowsOf(runId);
      return rows[0]?.state === 'unknown' ? rows : null;
    });
    expect(row?.errorCode).toBe('funding_refused');
    expect(await answersOf(runId, 'fund')).toEqual(['refused', 'refused', 'refused', 'refused']);
    const there = (await paymentsAt(payrun.sandbox)).find(({ referenceId }) =>
      referenceId?.startsWith(row?.paymentId ?? '-'),
    );
    expect(there?.status).toBe('awaiting_funds');
    await clearFaults(payrun.sandbox);
  });
});
