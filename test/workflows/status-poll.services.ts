import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import { clearFaults, expectAllFaultsApplied, expectPaidOnce, orderFaults } from '../helpers/sandbox-control.ts';

/** Payments are confirmed even if the provider's list is unreliable and no webhook arrives. One that returns too few: status-poll.long.ts. */

let payrun: PayrunUnderTest;

beforeAll(async () => {
  // An answer to a creation that has to be looked up would wait for as long as find fails.
  payrun = await startPayrun({ sandbox: { webhookUrl: null, answers: 'plain' } });
});
afterAll(() => payrun.stop());

test('every payment is confirmed if find always fails', async () => {
  const fault = { operation: 'simple-payment-find', kind: 'error_before', status: 500, probability: 1 } as const;
  await orderFaults(payrun.sandbox, fault);
  const runId = await beginRun(payrun, newRows(4));
  expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 4 });
  await expectAllFaultsApplied(payrun.sandbox);
  await clearFaults(payrun.sandbox);
  await expectPaidOnce(payrun, runId);
});

/** A seed whose answers contain times to the second, without a time zone. */
const TO_THE_SECOND = 5;

test('with times to the second, find returns the requested payments', async () => {
  const coarse = await startPayrun({ sandbox: { webhookUrl: null, seed: TO_THE_SECOND } });
  onTestFinished(() => coarse.stop());
  const runId = await beginRun(coarse, newRows(4));
  expect((await untilPaid(coarse, runId)).rows).toEqual({ paid: 4 });
  await expectPaidOnce(coarse, runId);
  const { rows } = await coarse.database.query<{ at: Date }>('select provider_created_at as at from payments');
  expect(rows.map(({ at }) => at.getMilliseconds())).toEqual(rows.map(() => 0));
  // None had to be read singly.
  expect(coarse.sandbox.ledger().requests.byOperation['simple-payment-get'] ?? 0).toBe(0);
});
