import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import { clearFaults, expectAllStruck, expectPaidOnce, orderFaults } from '../helpers/sandbox-control.ts';

/** Payments are confirmed also where the list of them is of little use, and no webhook comes. */

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun({ sandbox: { webhookUrl: null } });
});
afterAll(() => payrun.stop());

test.each([
  ['fails always', { kind: 'error_before', status: 500 }],
  ['shows one payment alone', { kind: 'find_capped', most: 1 }],
] as const)('where find %s', async (_what, fault) => {
  await orderFaults(payrun.sandbox, { operation: 'simple-payment-find', probability: 1, ...fault });
  const runId = await beginRun(payrun, newRows(12));
  expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 12 });
  await expectAllStruck(payrun.sandbox);
  await clearFaults(payrun.sandbox);
  await expectPaidOnce(payrun, runId);
});
