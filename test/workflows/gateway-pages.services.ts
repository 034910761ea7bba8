import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  expectConvertedOnce,
  follow,
  NO_APPROVALS,
  placeOrder,
  setConversionPolicy,
  untilOrder,
} from '../helpers/conversions-under-test.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import { clearFaults, expectAllFaultsApplied, orderFaults } from '../helpers/sandbox-control.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/**
 * A gateway in front of the provider (one that inspects answers) replaces the answer to a request that was carried out by its own
 * page, with status 401, 403 or 429. The provider would carry each request out again.
 */

let payrun: PayrunUnderTest;
let treasurer: TestUser;

beforeAll(async () => {
  payrun = await startPayrun({
    sandbox: {
      ...{ secondFunding: 'charge', duplicateReference: 'create' },
      ...{ completionMinMs: 8_000, completionMaxMs: 9_000 },
    },
  });
  treasurer = await aUser(payrun.testDatabase, 'Tessa Treasurer', 'treasurer');
  await setConversionPolicy(payrun, NO_APPROVALS);
  await follow(payrun, 'USD', '4000000.00');
});
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

test.each([401, 403])(
  'a payment whose funding was answered by a page (%i) is funded once',
  async (status) => {
    await orderFaults(payrun.sandbox, { operation: 'simple-payment-fund', kind: 'error_html_after', status });
    await untilPaid(payrun, await beginRun(payrun, newRows(1)));
    await expectAllFaultsApplied(payrun.sandbox);
    expect(payrun.sandbox.ledger()).toMatchObject({ fundedMoreThanOnce: [], invariantHolds: true });
  },
  100_000,
);

test('a payment whose creation was answered by a page is created once', async () => {
  await orderFaults(payrun.sandbox, { operation: 'simple-payment-create', kind: 'error_html_after', status: 403 });
  await untilPaid(payrun, await beginRun(payrun, newRows(1)));
  await expectAllFaultsApplied(payrun.sandbox);
  expect(payrun.sandbox.ledger()).toMatchObject({ createdMoreThanOnce: [], invariantHolds: true });
}, 100_000);

test.each<[string, string, number]>([
  ['HKD', 'is read', 0],
  ['EUR', 'cannot be read for a while', 30],
])(
  'a conversion to %s whose funding was answered by a page is settled, funded once, when the history %s',
  async (buyCurrency, _, times) => {
    await orderFaults(
      payrun.sandbox,
      { operation: 'conversion-fund', kind: 'error_html_after', status: 403 },
      ...(times > 0 ? [{ operation: 'balance-history', kind: 'error_before', status: 500, times } as const] : []),
    );
    const { orderId } = await placeOrder(payrun, treasurer, { buyCurrency });
    await untilOrder(payrun, orderId, 'settled');
    expectConvertedOnce(payrun);
  },
  120_000,
);
