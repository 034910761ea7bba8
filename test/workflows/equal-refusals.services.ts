import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RunSummary } from '../../api/runs/run.ts';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { REPEATED_REFUSALS } from '../../domain/repeated-refusals.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import { clearFaults, orderFaults, paymentsAt } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';

let windowSize = 1;
let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun({ windowSizeOf: () => windowSize });
});
afterEach(async () => {
  windowSize = 1;
  await clearFaults(payrun.sandbox);
});
afterAll(() => payrun.stop());

const refusing = (operation: 'quote' | 'create', status = 422) =>
  ({ operation: `simple-payment-${operation}`, kind: 'error_before', status, every: 1 }) as const;

async function runOf(runId: string): Promise<RunSummary> {
  const run = await payrun.application.findRun(runId);
  if (run === null) throw new Error('there is no such run');
  return run;
}

const untilRejected = (runId: string, rows: number) =>
  until(async () => ((await runOf(runId)).rows.rejected ?? 0) >= rows);

async function lift({ stops }: RunSummary): Promise<void> {
  const { application, maker, checker } = payrun;
  const stopId = stops[0]?.stopId ?? '';
  expect(await application.liftStop(maker, stopId)).toMatchObject({ state: 'lift_requested' });
  expect(await application.liftStop(checker, stopId)).toMatchObject({ state: 'lifted' });
}

/** What the provider has of a run: each paid row once, and nothing of the others. */
async function expectOnlyThesePaid(runId: string, paid: number): Promise<void> {
  const rows = await payrun.application.listRows(runId, { limit: 1_000, afterLine: 0, state: null });
  const references = new Map(rows.map((row) => [referenceIdOf(row.paymentId, row.attempt), row.state]));
  const there = (await paymentsAt(payrun.sandbox)).filter(({ referenceId }) => references.has(referenceId ?? ''));
  expect(there).toHaveLength(paid);
  for (const { referenceId, timesFunded, status } of there) {
    expect({ timesFunded, status, state: references.get(referenceId ?? '') }).toEqual({
      ...{ timesFunded: 1, status: 'completed', state: 'paid' },
    });
  }
  expect(payrun.sandbox.ledger()).toMatchObject({
    createdMoreThanOnce: [],
    fundedMoreThanOnce: [],
    invariantHolds: true,
  });
}

describe('a run whose rows are all refused with the same answer', () => {
  test('is paused and says why; once two people let it go on, what is left is paid once', async () => {
    windowSize = 5;
    await orderFaults(payrun.sandbox, refusing('create'));
    const runId = await beginRun(payrun, newRows(40));
    const paused = await untilRun(payrun.application, runId, 'paused');
    expect(paused.stops).toMatchObject([
      { scope: 'run', stoppedBy: null, refusals: { step: 'create', httpStatus: 422, count: REPEATED_REFUSALS } },
    ]);
    expect(paused.stops[0]?.reason).toContain('the provider refused 10 rows in a row with the same answer');
    const { rows: told } = await payrun.database.query(
      `select from outbox where type = 'run.paused' and subject_id = $1`,
      [runId],
    );
    expect(told).toHaveLength(1);
    await clearFaults(payrun.sandbox);
    await lift(paused);
    const { rows, state } = await untilPaid(payrun, runId);
    const { rejected = 0, paid = 0 } = rows;
    expect(state).toBe('partially_completed');
    expect(rejected).toBeGreaterThanOrEqual(REPEATED_REFUSALS);
    expect(rejected).toBeLessThan(REPEATED_REFUSALS + windowSize);
    expect(rejected + paid).toBe(40);
    await expectOnlyThesePaid(runId, paid);
  });

  test('is paused again after as many further rows if nothing has changed, and can be cancelled', async () => {
    await orderFaults(payrun.sandbox, refusing('quote'));
    const runId = await beginRun(payrun, newRows(25));
    await lift(await untilRun(payrun.application, runId, 'paused'));
    await untilRejected(runId, 2 * REPEATED_REFUSALS);
    expect(await runOf(runId)).toMatchObject({ state: 'paused', rows: { rejected: 2 * REPEATED_REFUSALS, ready: 5 } });
    await payrun.application.cancelRun(payrun.checker, runId, null);
    const { rows } = await untilRun(payrun.application, runId, 'cancelled');
    expect(rows).toEqual({ rejected: 2 * REPEATED_REFUSALS, cancelled: 5 });
    await expectOnlyThesePaid(runId, 0);
  });

  test('is paused at the same row when its workers were restarted in between', async () => {
    await orderFaults(payrun.sandbox, { ...refusing('quote'), times: 5 }, refusing('quote', 503));
    const runId = await beginRun(payrun, newRows(15));
    await untilRejected(runId, 5);
    await payrun.restartWorkers();
    expect((await runOf(runId)).rows.rejected).toBe(5);
    await clearFaults(payrun.sandbox);
    await orderFaults(payrun.sandbox, refusing('quote'));
    const { rows } = await untilRun(payrun.application, runId, 'paused');
    expect(rows).toEqual({ rejected: REPEATED_REFUSALS, ready: 5 });
    await payrun.application.cancelRun(payrun.checker, runId, null);
    await untilRun(payrun.application, runId, 'cancelled');
  });

  test('ends by itself if no other row is left', async () => {
    windowSize = 50;
    await orderFaults(payrun.sandbox, refusing('quote'));
    const runId = await beginRun(payrun, newRows(REPEATED_REFUSALS));
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'failed', rows: { rejected: REPEATED_REFUSALS } });
  });
});

describe('a run is not paused', () => {
  test('by refusals that differ', async () => {
    windowSize = 50;
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
    await expectOnlyThesePaid(runId, 1);
  });

  test('by the few refusals of a run with fewer rows', async () => {
    windowSize = 50;
    await orderFaults(payrun.sandbox, refusing('quote'));
    const runId = await beginRun(payrun, newRows(REPEATED_REFUSALS - 1));
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'failed' });
  });
});
