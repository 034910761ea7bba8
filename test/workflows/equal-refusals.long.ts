import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { REPEATED_REFUSALS } from '../../domain/repeated-refusals.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { expectOnlyThesePaid, refusing, untilRejected } from '../helpers/refused-runs.ts';
import { beginRun, liftStop, newRows, runOf, untilPaid } from '../helpers/run-under-test.ts';
import { clearFaults, orderFaults } from '../helpers/sandbox-control.ts';

/** Rarer courses of what equal-refusals.services.ts begins with. */

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
  test('is paused again after as many further rows if nothing has changed, and can be cancelled', async () => {
    await orderFaults(payrun.sandbox, refusing('quote'));
    const runId = await beginRun(payrun, newRows(25));
    const { stops } = await untilRun(payrun.application, runId, 'paused');
    await liftStop(payrun, stops[0]?.stopId ?? '');
    await untilRejected(payrun, runId, 2 * REPEATED_REFUSALS);
    expect(await runOf(payrun, runId)).toMatchObject({
      state: 'paused',
      rows: { rejected: 2 * REPEATED_REFUSALS, ready: 5 },
    });
    await payrun.application.cancelRun(payrun.checker, runId, null);
    const { rows } = await untilRun(payrun.application, runId, 'cancelled');
    expect(rows).toEqual({ rejected: 2 * REPEATED_REFUSALS, cancelled: 5 });
    await expectOnlyThesePaid(payrun, runId, 0);
  });

  test('is paused at the same row when its workers were restarted in between', async () => {
    await orderFaults(payrun.sandbox, { ...refusing('quote'), times: 5 }, refusing('quote', 503));
    const runId = await beginRun(payrun, newRows(15));
    await untilRejected(payrun, runId, 5);
    await payrun.restartWorkers();
    expect((await runOf(payrun, runId)).rows.rejected).toBe(5);
    await clearFaults(payrun.sandbox);
    await orderFaults(payrun.sandbox, refusing('quote'));
    const { rows } = await untilRun(payrun.application, runId, 'paused');
    expect(rows).toEqual({ rejected: REPEATED_REFUSALS, ready: 5 });
    await payrun.application.cancelRun(payrun.checker, runId, null);
    await untilRun(payrun.application, runId, 'cancelled');
  });
});

describe('a run is not paused', () => {
  test('by refusals that differ', async () => {
    concurrencyLimit = 50;
    await orderFaults(
      payrun.sandbox,
      { ...refusing('quote', 422), every: 2 },
      { ...refusing('quote', 400), nth: 2, every: 2 },
    );
    const runId = await beginRun(payrun, newRows(18));
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'failed', rows: { rejected: 18 } });
  });

  test('by equal refusals with a payment in between', async () => {
    const passes = { operation: 'simple-payment-quote', kind: 'slow', delayMs: 1, nth: 10, every: 10 } as const;
    await orderFaults(payrun.sandbox, passes, refusing('quote'));
    const runId = await beginRun(payrun, newRows(19));
    const { rows, state } = await untilPaid(payrun, runId);
    expect({ rows, state }).toEqual({ state: 'partially_completed', rows: { rejected: 18, paid: 1 } });
    await expectOnlyThesePaid(payrun, runId, 1);
  });

  test('by the few refusals of a run with fewer rows', async () => {
    concurrencyLimit = 50;
    await orderFaults(payrun.sandbox, refusing('quote'));
    const runId = await beginRun(payrun, newRows(REPEATED_REFUSALS - 1));
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'failed' });
  });
});
