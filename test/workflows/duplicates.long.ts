import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApplicationDependencies } from '../../application/application-dependencies.ts';
import { notifyPendingRuns } from '../../application/runs/notify-runs.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { approve, beginRun, submitRows, untilPaid } from '../helpers/run-under-test.ts';
import { again, newRow, releaseSeen, suspectsAmong, untilProposed } from '../helpers/suspected-duplicates.ts';
import { releaseAs } from '../store/releases-under-test.ts';

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun();
});
afterAll(() => payrun.stop());

test('a row is not a duplicate of a row that the provider rejected, which may be corrected and submitted again', async () => {
  const refused = newRow({ amount: '700.13' });
  const runId = await beginRun(payrun, [refused, newRow()]);
  expect((await untilPaid(payrun, runId)).rows).toEqual({ rejected: 1, paid: 1 });
  expect(await suspectsAmong(payrun, [{ ...refused, amount: '700.00' }])).toEqual([]);
});

describe('a suspected duplicate', () => {
  test('that is alone in its file has to be released before its run can be approved', async () => {
    const paid = newRow();
    await submitRows(payrun, [paid]);
    const runId = await submitRows(payrun, [paid]);
    const run = await payrun.application.findRun(runId);
    expect(run).toMatchObject({ rows: { duplicate_suspect: 1 }, proposal: { payable: 0, onHold: 1 } });
    expect(run?.proposal?.warnings).toContain('suspected duplicates: 1. Each is left out unless a checker releases it');
    await expect(approve(payrun, runId)).rejects.toMatchObject({
      code: 'conflict',
      message: 'no row of this run can be paid: release suspected duplicates first, or reject it',
    });
    await releaseSeen(payrun, runId, paid.row_ref);
    await untilProposed(payrun, runId, 1);
    await approve(payrun, runId);
    expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 1 });
  });

  test('that was released while Temporal was unavailable is still proposed again', async () => {
    const paid = newRow();
    await submitRows(payrun, [paid]);
    const suspect = again(paid);
    const runId = await submitRows(payrun, [suspect, newRow()]);
    const { paymentId } = (await payrun.application.findRow(runId, suspect.row_ref)) ?? { paymentId: '' };
    const { asServer: database } = payrun.testDatabase;
    await releaseAs(database, payrun.checker.tokenHash, { paymentId, reason: 'another invoice' });
    expect((await payrun.application.findRun(runId))?.proposal?.payable).toBe(1);
    expect(await notifyPendingRuns({ database, temporal: payrun.temporal } as ApplicationDependencies)).toBeGreaterThan(
      0,
    );
    await untilProposed(payrun, runId, 2);
  });
});
