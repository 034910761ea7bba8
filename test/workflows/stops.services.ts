import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RunSummary } from '../../api/runs/run.ts';
import { stopAtStart } from '../../store/users/owner-users.ts';
import { csvOf } from '../../fixtures/payment-rows.ts';
import { liftAs } from '../helpers/lifting-stops.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import {
  approve,
  beginRun,
  liftStop,
  newRows,
  runOf,
  submitFile,
  submitRows,
  untilPaid,
  untilUnfunded,
} from '../helpers/run-under-test.ts';
import { clearFaults, expectPaidOnce, orderFaults, paymentsAt, setBalance } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';
import { aUser } from '../helpers/users.ts';

const PER_SECOND = 10;
/** Few payments are begun at once, so that most of a run is not sent yet when it is stopped. */
const CONCURRENCY_LIMIT = 5;
const ROWS = 20;

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun({ requestsPerSecond: PER_SECOND, concurrencyLimitOf: () => CONCURRENCY_LIMIT });
});
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

const sentOf = ({ rows }: RunSummary): number => (rows.funded ?? 0) + (rows.processing ?? 0) + (rows.paid ?? 0);

/** The number of create and fund requests so far. */
function sending(): number {
  const { byOperation } = payrun.sandbox.ledger().requests as { byOperation: Record<string, number> };
  return (byOperation['simple-payment-create'] ?? 0) + (byOperation['simple-payment-fund'] ?? 0);
}

/** Checks that nothing is sent for a time in which a running run would have sent much. */
async function expectNothingSent(): Promise<void> {
  await untilQuiet();
  const before = sending();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(sending()).toBe(before);
}

/** Waits until the requests that were sent before the stop are answered. */
async function untilQuiet(): Promise<void> {
  await until(async () => {
    const { rows } = await payrun.database.query(
      `select from provider_requests where operation in ('create', 'fund') and answered_at is null`,
    );
    return rows.length === 0;
  });
}

describe('a stopped run', () => {
  test('sends nothing more, reports what was sent, survives restarts, and continues when two people lift the stop', async () => {
    const { application, maker } = payrun;
    const runId = await beginRun(payrun, newRows(ROWS));
    await until(async () => sentOf(await runOf(payrun, runId)) >= 3);
    const { stopId, counts } = await application.stopPayments(maker, { scope: 'run', runId }, 'wrong month');
    if (counts === null) throw new Error('a stop of a run has counts');
    expect(counts.underWay).toBe(0);
    expect(counts.sent + counts.created + counts.notSent).toBe(ROWS);
    expect(counts.notSent).toBeGreaterThan(ROWS / 3);
    await expectNothingSent();
    const stopped = await runOf(payrun, runId);
    expect(stopped).toMatchObject({
      state: 'paused',
      stops: [{ stopId, reason: 'wrong month', liftRequestedBy: null }],
    });
    // Payments in flight are still confirmed.
    await until(async () => (await runOf(payrun, runId)).rows.paid === counts.sent);

    await payrun.restartWorkers();
    await expectNothingSent();
    await liftStop(payrun, stopId);
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'completed', rows: { paid: ROWS } });
    await expectPaidOnce(payrun, runId);
  });

  test('is lifted by two people only, the second a checker who is not its maker', async () => {
    const { application, maker, checker, testDatabase } = payrun;
    const both = await aUser(testDatabase, 'Bo Both', 'maker', 'checker');
    const runId = await beginRun({ ...payrun, maker: both }, newRows(4));
    const { stopId } = await application.stopPayments(checker, { scope: 'run', runId }, null);
    const ada = await aUser(testDatabase, 'Ada', 'administrator');
    await expect(liftAs(payrun, ada, stopId)).rejects.toMatchObject({ code: 'not_allowed' });
    await liftAs(payrun, maker, stopId);
    await expect(liftAs(payrun, maker, stopId)).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(liftAs(payrun, both, stopId)).rejects.toMatchObject({ code: 'not_allowed' });
    // Stopping it again withdraws the first request to lift.
    expect((await application.stopPayments(ada, { scope: 'run', runId }, null)).stopId).toBe(stopId);
    expect(await liftAs(payrun, checker, stopId)).toMatchObject({ state: 'lift_requested' });
    await expect(liftAs(payrun, both, stopId)).rejects.toMatchObject({ code: 'not_allowed' });
    await expectNothingSent();
    const second = await aUser(testDatabase, 'Sam Second', 'checker');
    expect(await liftAs(payrun, second, stopId)).toMatchObject({ state: 'lifted' });
    expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 4 });
  });

  test('that is cancelled ends: unsent rows may be submitted again, sent ones are paid', async () => {
    const { application, maker, checker } = payrun;
    const rows = newRows(15);
    const runId = await beginRun(payrun, rows);
    await until(async () => sentOf(await runOf(payrun, runId)) >= 2);
    const { stopId } = await application.stopPayments(checker, { scope: 'run', runId }, null);
    await application.cancelRun(maker, runId, 'never mind');
    const run = await untilRun(application, runId, 'cancelled', 'partially_completed', 'completed');
    expect(run.state).toBe('cancelled');
    expect(run.rows.paid).toBeGreaterThanOrEqual(2);
    const { paid = 0, cancelled = 0, unknown = 0 } = run.rows;
    expect(paid + cancelled + unknown).toBe(15);
    expect(cancelled).toBeGreaterThan(3);
    await expect(liftAs(payrun, maker, stopId)).rejects.toMatchObject({ code: 'conflict' });
    await expectNothingSent();
    // The provider has nothing of the cancelled payments.
    const references = (await paymentsAt(payrun.sandbox)).map(({ referenceId }) => referenceId);
    const ended = await application.listRows(runId, { limit: 100, afterLine: 0, state: 'cancelled' });
    for (const { paymentId } of ended) expect(references).not.toContain(`${paymentId}-1`);
    const free = rows.filter(({ row_ref }) => ended.some(({ rowRef }) => rowRef === row_ref));
    const again = await submitFile(payrun, csvOf(free));
    const next = again.kind === 'accepted' ? again.runId : '';
    expect((await untilRun(application, next, 'in_approval')).rows).toEqual({ ready: free.length });
  });

  test('that is cancelled leaves payments that are created but unfunded to people', async () => {
    const { application, maker, checker, sandbox } = payrun;
    await setBalance(sandbox, 'USD', '0.00');
    const runId = await beginRun(payrun, newRows(2));
    await untilUnfunded(payrun, runId, 2);
    const { counts } = await application.stopPayments(checker, { scope: 'run', runId }, null);
    expect(counts).toEqual({ sent: 0, created: 2, notSent: 0, underWay: 0 });
    await application.cancelRun(maker, runId, null);
    const run = await untilRun(application, runId, 'cancelled', 'failed', 'partially_completed');
    expect(run.rows).toEqual({ unknown: 2 });
    const [row] = await application.listRows(runId, { limit: 1, afterLine: 0, state: null });
    expect(row?.errorCode).toBe('created_not_funded');
    await setBalance(sandbox, 'USD', '1000000.00');
    await expectNothingSent();
  });

  test('is stopped even if its rows cannot be counted', async () => {
    const { application, checker, database } = payrun;
    const runId = await beginRun(payrun, newRows(5));
    await database.query('alter function stop_counts(uuid) rename to stop_counts_elsewhere');
    const { counts } = await application.stopPayments(checker, { scope: 'run', runId }, null);
    await database.query('alter function stop_counts_elsewhere(uuid) rename to stop_counts');
    expect(counts).toBeNull();
    await expectNothingSent();
    expect((await runOf(payrun, runId)).stops).toMatchObject([{ scope: 'run' }]);
  });

  test('does not send rows of a later day either', async () => {
    const { application, checker } = payrun;
    const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    const runId = await beginRun(payrun, newRows(2, { pay_on: tomorrow }));
    const { counts } = await application.stopPayments(checker, { scope: 'run', runId }, null);
    expect(counts).toEqual({ sent: 0, created: 0, notSent: 2, underWay: 0 });
    await application.cancelRun(checker, runId, null);
    expect((await untilRun(application, runId, 'cancelled')).rows).toEqual({ cancelled: 2 });
  });

  test('with a request of unknown outcome looks it up, and then sends nothing more', async () => {
    const { application, checker, sandbox } = payrun;
    await orderFaults(sandbox, { operation: 'simple-payment-create', kind: 'error_after' });
    await orderFaults(sandbox, { operation: 'simple-payment-find', kind: 'error_before', times: 3 });
    const before = (await paymentsAt(sandbox)).length;
    const runId = await beginRun(payrun, newRows(1));
    await until(async () => (await paymentsAt(sandbox)).length > before);
    await application.stopPayments(checker, { scope: 'run', runId }, null);
    await until(async () => (await runOf(payrun, runId)).rows.created === 1);
    await expectNothingSent();
    expect((await paymentsAt(sandbox)).filter(({ status }) => status === 'awaiting_funds')).not.toEqual([]);
    await application.cancelRun(checker, runId, null);
    expect((await untilRun(application, runId, 'cancelled', 'failed', 'partially_completed')).rows).toEqual({
      unknown: 1,
    });
  });
});

describe('a kill switch', () => {
  test.each([
    ['of an account', { scope: 'account', account: 'default' } as const],
    ['of everything', { scope: 'all' } as const],
  ])('%s stops every run, also those that are approved while it is active', async (_what, of) => {
    const { application } = payrun;
    const ada = await aUser(payrun.testDatabase, 'Ada', 'administrator');
    const first = await beginRun(payrun, newRows(6));
    await until(async () => sentOf(await runOf(payrun, first)) >= 1);
    const { stopId, counts } = await application.stopPayments(ada, of, 'something is wrong');
    expect(counts).toBeNull();
    await untilQuiet();
    const second = await submitRows(payrun, newRows(2));
    // Whoever decides on it is notified.
    expect(await runOf(payrun, second)).toMatchObject({ state: 'in_approval', stops: [{ stopId }] });
    await approve(payrun, second);
    await expectNothingSent();
    expect((await runOf(payrun, second)).stops).toMatchObject([{ stopId }]);
    await liftStop(payrun, stopId);
    expect((await untilPaid(payrun, first)).rows).toEqual({ paid: 6 });
    expect((await untilPaid(payrun, second)).rows).toEqual({ paid: 2 });
    await expectPaidOnce(payrun, second);
  });

  test('of another account stops no run of this one', async () => {
    const { application, checker, database } = payrun;
    const another = { scope: 'account', account: 'another' } as const;
    await expect(application.stopPayments(checker, another, null)).rejects.toMatchObject({ code: 'not_found' });
    await database.query(
      `insert into provider_accounts (account, api_address, access_key, is_sandbox) values ('another', 'x', 'x', true)`,
    );
    const { stopId } = await application.stopPayments(checker, another, null);
    expect((await untilPaid(payrun, await beginRun(payrun, newRows(1)))).rows).toEqual({ paid: 1 });
    await liftStop(payrun, stopId);
  });

  test('that is set at start-up is active before anything else, and is lifted by two people', async () => {
    const runId = await beginRun(payrun, newRows(6));
    await payrun.stopWorkers();
    await stopAtStart(payrun.testDatabase.url);
    await stopAtStart(payrun.testDatabase.url);
    await payrun.restartWorkers();
    await expectNothingSent();
    const stops = await payrun.application.listStops(payrun.checker);
    expect(stops.filter(({ scope }) => scope === 'all')).toMatchObject([{ stoppedBy: null, liftRequestedBy: null }]);
    await liftStop(payrun, stops.find(({ scope }) => scope === 'all')?.stopId ?? '');
    expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 6 });
  });
});

describe('an undecided run', () => {
  test('that its maker withdraws is never paid, and its row_refs may be used again', async () => {
    const { application, maker, checker, testDatabase } = payrun;
    const rows = newRows(2);
    const runId = await submitRows(payrun, rows);
    const another = await aUser(testDatabase, 'Another Maker', 'maker');
    await expect(application.withdrawRun(another, runId, null)).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(application.stopPayments(checker, { scope: 'run', runId }, null)).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await application.withdrawRun(maker, runId, 'twice')).toMatchObject({
      state: 'cancelled',
      rows: { cancelled: 2 },
    });
    await expect(approve(payrun, runId)).rejects.toMatchObject({ code: 'conflict' });
    const again = await submitFile(payrun, csvOf(rows));
    const next = again.kind === 'accepted' ? again.runId : '';
    expect((await untilRun(application, next, 'in_approval')).rows).toEqual({ ready: 2 });
  });
});
