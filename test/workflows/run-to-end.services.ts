import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aRow, someRows } from '../../fixtures/payment-rows.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, linesOf, untilPaid } from '../helpers/run-under-test.ts';
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
});
