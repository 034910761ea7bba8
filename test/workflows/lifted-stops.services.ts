import { Client, Connection } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import type { ApplicationDependencies } from '../../application/application-dependencies.ts';
import { liftStop } from '../../application/approvals/stop-payments.ts';
import { notifyPendingRuns } from '../../application/runs/notify-runs.ts';
import { startTcpRelay } from '../../bench/harness/tcp-relay.ts';
import { paymentWorkflowId } from '../../domain/identifiers.ts';
import { liftAs } from '../helpers/lifting-stops.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import { clearFaults, expectPaidOnce, orderFaults } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';

/** A run goes on as soon as its stop is lifted: by itself it would look ten minutes later. */

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun({ concurrencyLimitOf: () => 1 });
});
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

/** Of payments: not the one that says what they would cost. */
async function quotes(): Promise<number> {
  const { rows } = await payrun.database.query<{ count: number }>(
    `select count(*)::int as count from provider_requests where operation = 'quote'`,
  );
  return rows[0]?.count ?? 0;
}

/** Stops the run while one of its payments is being quoted. Returns once that payment waits for the end of the stop. */
async function stopWhileQuoting(runId: string, quotesBefore: number): Promise<string> {
  await until(async () => (await quotes()) > quotesBefore);
  const { stopId } = await payrun.application.stopPayments(payrun.maker, { scope: 'run', runId }, null);
  await until(async () => {
    const rows = await payrun.application.listRows(runId, { limit: 10, afterLine: 0, state: 'quoted' });
    const details = await Promise.all(rows.map(({ paymentId }) => detailsOf(paymentId)));
    return details.some((text) => text.startsWith('Stopped'));
  });
  return stopId;
}

/** What its workflow says that it is doing. */
async function detailsOf(paymentId: string): Promise<string> {
  const handle = payrun.temporal.workflow.getHandle(paymentWorkflowId(paymentId));
  const { currentDetails } = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return currentDetails ?? '';
}

test('before the run has noticed it: the payments that reach its limit go on', async () => {
  const { maker, checker, sandbox } = payrun;
  const rows = newRows(4);
  let before = await quotes();
  await orderFaults(sandbox, { operation: 'simple-payment-quote', kind: 'slow', delayMs: 150, every: 1 });
  const runId = await beginRun(payrun, rows);
  for (let left = rows.length; left > 0; left -= 1) {
    const stopId = await stopWhileQuoting(runId, before);
    before = await quotes();
    await liftAs(payrun, maker, stopId);
    await liftAs(payrun, checker, stopId);
  }
  expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: rows.length });
  await expectPaidOnce(payrun, runId);
});

test('while Temporal cannot be reached: the run is notified later', async () => {
  const { maker, checker, sandbox, testDatabase } = payrun;
  const before = await quotes();
  await orderFaults(sandbox, { operation: 'simple-payment-quote', kind: 'slow', delayMs: 150, every: 1 });
  const runId = await beginRun(payrun, newRows(2));
  const stopId = await stopWhileQuoting(runId, before);

  const [host = '', port] = inject('temporalAddress').split(':');
  const gone = await startTcpRelay(host, Number(port));
  await gone.close();
  const connection = Connection.lazy({ address: `${host}:${gone.port}` });
  const temporal = new Client({ connection, namespace: payrun.temporal.options.namespace });
  const dependencies = { database: testDatabase.asServer, temporal } as ApplicationDependencies;
  await liftStop(dependencies, maker, stopId, { liftRequestedBy: null });
  expect(await liftStop(dependencies, checker, stopId, { liftRequestedBy: maker.userId })).toMatchObject({
    state: 'lifted',
  });

  const there = await startTcpRelay(host, Number(port), gone.port);
  await until(async () => {
    await notifyPendingRuns(dependencies);
    return (await payrun.application.findRun(runId))?.state === 'completed';
  });
  await expectPaidOnce(payrun, runId);
  expect(await notifyPendingRuns(dependencies)).toBe(0);
  await connection.close();
  await there.close();
});
