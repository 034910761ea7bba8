import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aRow, csvOf, someRows } from '../../fixtures/payment-rows.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { approve, beginRun, linesOf, submitFile, textOf, untilPaid } from '../helpers/run-under-test.ts';
import { expectPaidOnce } from '../helpers/sandbox-control.ts';

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun();
});
afterAll(() => payrun.stop());

describe('a payment run', () => {
  test('pays every row once, and reports each row as paid', async () => {
    const runId = await beginRun(payrun, someRows(5));
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'completed', rows: { paid: 5 } });
    expect(await linesOf(payrun.application.results(runId))).toHaveLength(6);
    const [headers, first] = csvOf(someRows(5)).toString().split('\n');
    const sheet = await linesOf(payrun.application.sheet(runId));
    expect(sheet.slice(0, 2)).toEqual([`line,${headers}`, `2,${first}`]);
    expect(sheet).toHaveLength(6);
    expect(await linesOf(payrun.application.exceptions(runId))).toHaveLength(1);
    await expectPaidOnce(payrun, runId);
  });

  test('lists rejected and failed rows with their reasons, and pays the rest', async () => {
    const runId = await beginRun(payrun, [
      aRow(11),
      aRow(12, { amount: '50.13' }),
      aRow(13, { amount: '60.14' }),
      aRow(14, { beneficiary_company_name: 'SANCTIONED Trading Ltd' }),
    ]);
    const run = await untilPaid(payrun, runId);
    expect(run.state).toBe('partially_completed');
    expect(run.rows).toEqual({ paid: 1, rejected: 2, failed: 1 });
    const { rows: endless } = await payrun.database.query(
      'select row_ref from payments where run_id = $1 and ended_at is null',
      [runId],
    );
    expect(endless).toEqual([]);
    const exceptions = await linesOf(payrun.application.exceptions(runId));
    expect(exceptions).toHaveLength(4);
    expect(exceptions[0]).toMatch(/payrun_status,payrun_reason$/);
  });

  test('of an exceptions file tells its approvers which rows failed before and were not changed', async () => {
    const failed = await beginRun(payrun, [
      aRow(21, { amount: '50.13' }),
      aRow(22, { amount: '60.14' }),
      aRow(23, { beneficiary_company_name: 'SANCTIONED Trading Ltd' }),
    ]);
    expect((await untilPaid(payrun, failed)).rows).toEqual({ rejected: 2, failed: 1 });
    const halfCorrected = (await textOf(payrun.application.exceptions(failed))).replace('60.14', '60.00');
    const outcome = await submitFile(payrun, Buffer.from(halfCorrected));
    if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome.problems));
    const { runId } = outcome;
    await untilRun(payrun.application, runId, 'in_approval');
    const review = await payrun.application.findReview(runId, null);
    const unchanged = { kind: 'failed_before', id: 'failed_before:2', rows: ['T-21', 'T-23'], rowCount: 2 };
    const found = review?.findings.filter(({ kind }) => kind === 'failed_before');
    expect(found).toEqual([{ ...unchanged, amounts: [{ currency: 'USD', amount: '173.13' }] }]);
    const page = { limit: 10, afterLine: 0, state: null, mark: 'failed_before' as const };
    expect((await payrun.application.listRows(runId, page)).map(({ rowRef }) => rowRef)).toEqual(['T-21', 'T-23']);
    // What is decided with this finding is decided without an answer to it.
    await approve(payrun, runId);
    expect((await untilPaid(payrun, runId)).rows).toEqual({ rejected: 2, paid: 1 });
    expect((await payrun.application.findReview(runId, null))?.findings).toEqual(review?.findings);
  });
});
