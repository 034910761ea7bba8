import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { CHARGING_PROVIDER } from '../helpers/charging-provider.ts';
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

/** The pages of gateway-pages.services.ts with another status, and about conversions. */

let payrun: PayrunUnderTest;
let treasurer: TestUser;

beforeAll(async () => {
  payrun = await startPayrun({ sandbox: CHARGING_PROVIDER });
  treasurer = await aUser(payrun.testDatabase, 'Tessa Treasurer', 'treasurer');
  await setConversionPolicy(payrun, NO_APPROVALS);
  await follow(payrun, 'USD', '4000000.00');
});
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

test('a payment whose funding was answered by a page (401) is funded once', async () => {
  await orderFaults(payrun.sandbox, { operation: 'simple-payment-fund', kind: 'error_html_after', status: 401 });
  await untilPaid(payrun, await beginRun(payrun, newRows(1)));
  await expectAllFaultsApplied(payrun.sandbox);
  expect(payrun.sandbox.ledger()).toMatchObject({ fundedMoreThanOnce: [], invariantHolds: true });
});

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
);
