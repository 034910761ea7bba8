import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHARGING_PROVIDER } from '../helpers/charging-provider.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import { expectAllFaultsApplied, orderFaults } from '../helpers/sandbox-control.ts';

/**
 * A gateway in front of the provider (one that inspects answers) replaces the answer to a request that was carried out by its own
 * page, with status 403. Other statuses, and conversions: gateway-pages.long.ts.
 */

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun({ sandbox: CHARGING_PROVIDER });
});
afterAll(() => payrun.stop());

test('payments whose creation or funding was answered by a page are created and funded once', async () => {
  await orderFaults(
    payrun.sandbox,
    { operation: 'simple-payment-create', kind: 'error_html_after', status: 403 },
    { operation: 'simple-payment-fund', kind: 'error_html_after', status: 403 },
  );
  // The second row is funded before the first, whose creation is looked up first.
  expect((await untilPaid(payrun, await beginRun(payrun, newRows(2)))).rows).toEqual({ paid: 2 });
  await expectAllFaultsApplied(payrun.sandbox);
  expect(payrun.sandbox.ledger()).toMatchObject({
    createdMoreThanOnce: [],
    fundedMoreThanOnce: [],
    invariantHolds: true,
  });
});
