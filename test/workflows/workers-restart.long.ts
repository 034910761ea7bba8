import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import { expectPaidOnce } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';

const ROWS = 30;
const REQUESTS_PER_SECOND = 25;

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun({ requestsPerSecond: REQUESTS_PER_SECOND });
});
afterAll(() => payrun.stop());

/** Waits until the provider has `count` payments of the run. */
function untilCreated(runId: string, count: number): Promise<true> {
  return until(async () => {
    const { rows } = await payrun.database.query<{ n: number }>(
      'select count(provider_payment_id) as n from payments where run_id = $1',
      [runId],
    );
    return (rows[0]?.n ?? 0) >= count;
  });
}

describe('workers that are restarted in the middle of a run', () => {
  test('pay the rest: the same totals, nothing twice, never over the rate limit', async () => {
    const rows = newRows(ROWS);
    const runId = await beginRun(payrun, rows);
    await untilCreated(runId, 8);
    expect((await payrun.application.findRun(runId))?.state).toBe('running');
    await payrun.restartWorkers();
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'completed', rows: { paid: ROWS } });
    await expectPaidOnce(payrun, runId);
    const { rows: sums } = await payrun.database.query<{ sold: string }>(
      'select sum(sell_amount)::text as sold from payments where run_id = $1',
      [runId],
    );
    const asked = rows.reduce((cents, { amount }) => cents + BigInt(amount.replace('.', '')), 0n);
    expect(BigInt((sums[0]?.sold ?? '').replace('.', ''))).toBe(asked);
    const ledger = payrun.sandbox.ledger();
    expect(ledger.rejectedByLimit).toBe(0);
    expect(ledger.mostInAnySecond).toBeLessThanOrEqual(REQUESTS_PER_SECOND);
  });
});
