import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { REPEATED_REFUSALS } from '../../domain/repeated-refusals.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { expectOnlyThesePaid, refusing } from '../helpers/refused-runs.ts';
import { beginRun, liftStop, newRows, untilPaid } from '../helpers/run-under-test.ts';
import { clearFaults, orderFaults } from '../helpers/sandbox-control.ts';

/** A run whose rows are all refused alike, and what only looks like it. More: equal-refusals.long.ts. */

let concurrencyLimit = 1;
let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun({ concurrencyLimitOf: () => concurrencyLimit });
});
afterEach(async () => {
  concurrencyLimit = 1;
  await clearFaults(payrun.sandbox);
});
afterAll(() => payrun.stop());

describe('a run whose rows are all refused with the same answer', () => {
  test('is paused and says why; once two people let it go on, what is left is paid once', async () => {
    concurrencyLimit = 5;
    await orderFaults(payrun.sandbox, refusing('create'));
    const runId = await beginRun(payrun, newRows(18));
    const paused = await untilRun(payrun.application, runId, 'paused');
    expect(paused.stops).toMatchObject([
      { scope: 'run', stoppedBy: null, refusals: { step: 'create', httpStatus: 422, count: REPEATED_REFUSALS } },
    ]);
    expect(paused.stops[0]?.reason).toContain('the provider refused 10 rows in a row with the same answer');
    const { rows: notified } = await payrun.database.query(
      `select from outbox where type = 'run.paused' and subject_id = $1`,
      [runId],
    );
    expect(notified).toHaveLength(1);
    await clearFaults(payrun.sandbox);
    await liftStop(payrun, paused.stops[0]?.stopId ?? '');
    const { rows, state } = await untilPaid(payrun, runId);
    const { rejected = 0, paid = 0 } = rows;
    expect(state).toBe('partially_completed');
    expect(rejected).toBeGreaterThanOrEqual(REPEATED_REFUSALS);
    expect(rejected).toBeLessThan(REPEATED_REFUSALS + concurrencyLimit);
    expect(rejected + paid).toBe(18);
    await expectOnlyThesePaid(payrun, runId, paid);
  });

  test('ends by itself if no other row is left', async () => {
    concurrencyLimit = 50;
    await orderFaults(payrun.sandbox, refusing('quote'));
    const runId = await beginRun(payrun, newRows(REPEATED_REFUSALS));
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'failed', rows: { rejected: REPEATED_REFUSALS } });
  });
});

test('a run is not paused by equal refusals with a payment in between', async () => {
  const passes = { operation: 'simple-payment-quote', kind: 'slow', delayMs: 1, nth: 6, every: 6 } as const;
  await orderFaults(payrun.sandbox, passes, refusing('quote'));
  // The tenth refusal leaves two rows, and no more than five were refused in a row.
  const runId = await beginRun(payrun, newRows(13));
  const { rows, state } = await untilPaid(payrun, runId);
  expect({ rows, state }).toEqual({ state: 'partially_completed', rows: { rejected: 11, paid: 2 } });
  await expectOnlyThesePaid(payrun, runId, 2);
});
