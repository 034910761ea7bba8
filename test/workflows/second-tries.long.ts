import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectOnePaidOnce, type Shown, startAtLateProvider } from '../helpers/late-provider.ts';
import type { PayrunUnderTest } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows } from '../helpers/run-under-test.ts';
import { orderFaults } from '../helpers/sandbox-control.ts';

let payrun: PayrunUnderTest;
let stop: () => Promise<void>;
/** The number of finds of one payment that still return another one. */
let othersShown = 0;

function asItShows(answer: unknown): unknown {
  const { data } = answer as { data?: Shown | Shown[] };
  if (!Array.isArray(data) || data.length !== 1 || data[0]?.simplePaymentId === undefined) return answer;
  if (othersShown === 0) return answer;
  othersShown -= 1;
  return { ...(answer as object), data: [{ ...data[0], simplePaymentId: 'another', referenceId: 'another-1' }] };
}

beforeAll(async () => {
  ({ payrun, stop } = await startAtLateProvider(asItShows));
});
afterAll(() => stop());

test('a creation is not repeated while finds return only other payments', async () => {
  othersShown = 1;
  await orderFaults(payrun.sandbox, { operation: 'simple-payment-create', kind: 'reset_after' });
  await expectOnePaidOnce(payrun, await beginRun(payrun, newRows(1)));
  expect(othersShown).toBe(0);
});
