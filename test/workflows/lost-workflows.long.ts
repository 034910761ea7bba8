import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resumingLostRuns } from '../../application/runs/start-run.ts';
import { notifyPendingRuns } from '../../application/runs/notify-runs.ts';
import {
  dailyBooksScheduleId,
  moneyWatchWorkflowId,
  paymentRunWorkflowId,
  paymentStatusPollerWorkflowId,
  paymentWorkflowId,
} from '../../domain/identifiers.ts';
import { startingAccountWorkflows } from '../../operations/account-workflows.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { liftAs } from '../helpers/lifting-stops.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { approve, beginRun, newRows, reject, submitRows, untilPaid, untilUnfunded } from '../helpers/run-under-test.ts';
import { clearFaults, expectPaidOnce, orderFaults, setBalance } from '../helpers/sandbox-control.ts';
import { paymentIdsOf } from '../helpers/attacked-run.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { until } from '../helpers/until.ts';
import { TEST_CALENDARS } from '../helpers/test-calendars.ts';

/** Workflows that somebody has terminated, or that Temporal has lost. */

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun();
});
afterAll(() => payrun.stop());

const end = (workflowId: string) => payrun.temporal.workflow.getHandle(workflowId).terminate('by somebody');

const dependencies = () => ({
  database: payrun.testDatabase.asServer,
  temporal: payrun.temporal,
  dataKeys: TEST_DATA_KEYS,
  accounts: [{ name: 'default', requestsPerSecond: 0, requestsPerDay: 0, requestsReservedPerDay: 0 }],
  calendars: TEST_CALENDARS,
  now: Date.now,
  settings: {
    decisionWithinMs: 60_000,
    concurrencyLimitOf: () => 50,
    documentRequirements: [],
    unansweredSignUpMs: 0,
    referenceMaxAgeMs: 60_000,
    referenceTimeoutMs: 10_000,
  },
});

const submittedLongAgo = () => payrun.database.query(`update runs set submitted_at = now() - interval '1 minute'`);

test('what reads an account starts again when a server looks, and an unknown row gets its outcome', async () => {
  const runId = await beginRun(payrun, newRows(1));
  await untilPaid(payrun, runId);
  const unknown = `state = 'unknown', ended_at = now() - interval '1 hour', polled_at = null, tried_at = null`;
  await bypassTriggers(payrun.database, `update payments set ${unknown} where run_id = $1`, [runId]);
  const paidRows = () =>
    payrun.database.query('select from payments where run_id = $1 and state = $2', [runId, 'paid']);
  for (const workflowId of [paymentStatusPollerWorkflowId('default'), moneyWatchWorkflowId('default')])
    await end(workflowId).catch(() => undefined);
  const books = payrun.temporal.schedule.getHandle(dailyBooksScheduleId('default'));
  await books.delete();

  await startingAccountWorkflows()(dependencies());
  await until(async () => (await paidRows()).rows.length === 1);
  expect((await books.describe()).scheduleId).toBe(dailyBooksScheduleId('default'));
});

describe('a run whose workflow was terminated', () => {
  test('is paid once it is approved', async () => {
    const runId = await submitRows(payrun, newRows(2));
    await end(paymentRunWorkflowId(runId));
    await approve(payrun, runId);
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'completed', rows: { paid: 2 } });
    await expectPaidOnce(payrun, runId);
  });

  test('ends when it is stopped and cancelled', async () => {
    const { application, checker } = payrun;
    const later = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    const runId = await beginRun(payrun, newRows(1, { pay_on: later }));
    await until(async () => (await application.findRun(runId))?.stateReason?.includes('due on') === true);
    await end(paymentRunWorkflowId(runId));
    await application.stopPayments(checker, { scope: 'run', runId }, null);
    await application.cancelRun(checker, runId, null);
    const run = await untilRun(application, runId, 'cancelled');
    expect(run.rows).toEqual({ cancelled: 1 });
    expect(run.finishedAt).not.toBeNull();
  });

  test('is resumed by the next check of a server, with payments whose workflows were terminated', async () => {
    await setBalance(payrun.sandbox, 'USD', '0.00');
    const runId = await beginRun(payrun, newRows(2));
    await untilUnfunded(payrun, runId, 2);
    await end(paymentRunWorkflowId(runId));
    for (const paymentId of await paymentIdsOf(payrun, runId)) await end(paymentWorkflowId(paymentId));
    await setBalance(payrun.sandbox, 'USD', '100000.00');
    await submittedLongAgo();
    const look = resumingLostRuns();
    expect(await look(dependencies())).toBeGreaterThan(0);
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'completed', rows: { paid: 2 } });
    await expectPaidOnce(payrun, runId);
  });

  test('is notified of its end once', async () => {
    const runId = await submitRows(payrun, newRows(1));
    await end(paymentRunWorkflowId(runId));
    await payrun.stopWorkers();
    await reject(payrun, runId);
    const decidedLongAgo = `update runs set decided_at = now() - interval '1 minute' where run_id = $1`;
    await payrun.database.query(decidedLongAgo, [runId]);
    expect(await notifyPendingRuns(dependencies())).toBe(1);
    await payrun.restartWorkers();
    await until(async () => (await notifyPendingRuns(dependencies())) === 0);
  });
});

describe('payments whose workflows were terminated, but not that of their run', () => {
  test('continue when their run restarts them, as when a stop is lifted', async () => {
    const { application, maker, checker } = payrun;
    await setBalance(payrun.sandbox, 'USD', '0.00');
    const runId = await beginRun(payrun, newRows(2));
    await untilUnfunded(payrun, runId, 2);
    for (const paymentId of await paymentIdsOf(payrun, runId)) await end(paymentWorkflowId(paymentId));
    await setBalance(payrun.sandbox, 'USD', '100000.00');
    const { stopId } = await application.stopPayments(checker, { scope: 'run', runId }, null);
    await liftAs(payrun, maker, stopId);
    await liftAs(payrun, checker, stopId);
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'completed', rows: { paid: 2 } });
    await expectPaidOnce(payrun, runId);
  });
});

describe('a payment that may have been created, of a stopped run', () => {
  /** The outcome cannot be looked up for now. */
  async function aPossiblyCreatedPayment() {
    const { database, sandbox, application, checker } = payrun;
    await orderFaults(sandbox, { operation: 'simple-payment-create', kind: 'error_after' });
    await orderFaults(sandbox, { operation: 'simple-payment-find', kind: 'error_before', times: 100 });
    const runId = await beginRun(payrun, newRows(1));
    await until(async () => {
      const open = `select from provider_requests join payments using (payment_id)
        where run_id = $1 and operation = 'create' and outcome is null and answered_at is not null`;
      return (await database.query(open, [runId])).rowCount === 1;
    });
    await application.stopPayments(checker, { scope: 'run', runId }, null);
    return runId;
  }
  const ended = (runId: string) => untilRun(payrun.application, runId, 'cancelled', 'failed', 'partially_completed');

  test.each([
    ['is looked up after the run is cancelled, which then ends', false],
    ['is looked up also if its workflow was terminated', true],
  ])('%s', async (_what, isGone) => {
    const { application, maker, sandbox } = payrun;
    const runId = await aPossiblyCreatedPayment();
    if (isGone) for (const paymentId of await paymentIdsOf(payrun, runId)) await end(paymentWorkflowId(paymentId));
    expect((await application.cancelRun(maker, runId, null)).counts).toMatchObject({ underWay: 1 });
    await clearFaults(sandbox);
    expect((await ended(runId)).rows).toEqual({ unknown: 1 });
    const [row] = await application.listRows(runId, { limit: 1, afterLine: 0, state: null });
    expect(row?.errorCode).toBe('created_not_funded');
  });
});

test('a run whose workflow is running is left alone by the check of a server', async () => {
  const runId = await submitRows(payrun, newRows(1));
  const handle = payrun.temporal.workflow.getHandle(paymentRunWorkflowId(runId));
  const before = (await handle.describe()).runId;
  await submittedLongAgo();
  await resumingLostRuns()(dependencies());
  expect((await handle.describe()).runId).toBe(before);
});
