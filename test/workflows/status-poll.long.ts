import { expect, onTestFinished, test } from 'vitest';
import { startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import { clearFaults, expectAllFaultsApplied, expectPaidOnce, orderFaults } from '../helpers/sandbox-control.ts';

test('every payment is confirmed if find returns only one payment, and no webhook arrives', async () => {
  const payrun = await startPayrun({ sandbox: { webhookUrl: null } });
  onTestFinished(() => payrun.stop());
  const fault = { operation: 'simple-payment-find', kind: 'find_capped', maxResults: 1, probability: 1 } as const;
  await orderFaults(payrun.sandbox, fault);
  const runId = await beginRun(payrun, newRows(12));
  expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 12 });
  await expectAllFaultsApplied(payrun.sandbox);
  await clearFaults(payrun.sandbox);
  await expectPaidOnce(payrun, runId);
});
