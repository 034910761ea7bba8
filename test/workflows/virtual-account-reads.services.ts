import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { VirtualAccount } from '../../api/accounts/virtual-account.ts';
import { RECEIPT_SETTINGS } from '../../domain/accounts/receipt-schedule.ts';
import { defaultOptions } from '../../sandbox/config/options.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { clearFaults, forceVirtualAccount, orderFaults, virtualAccountsAt } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** Virtual accounts of a provider that lets their requests be read. */

let payrun: PayrunUnderTest;
let treasurer: TestUser;

beforeAll(async () => {
  payrun = await startPayrun({
    virtualAccountRequestPath: defaultOptions.virtualAccountRequestPath,
    settings: { receipts: { ...RECEIPT_SETTINGS, virtualAccountEveryMs: 500 } },
  });
  treasurer = await aUser(payrun.testDatabase, 'Tess Treasurer', 'treasurer');
});
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

const ORDER = {
  ...{ account: 'default', name: 'Sales', provider: 'code 1', currency: 'USD', description: 'customers' },
  ...{ type: 'open' as const, amount: null, expiryDuration: null },
};
const untilShown = (id: string, isSo: (one: VirtualAccount) => boolean) =>
  until(async () => {
    const one = await payrun.application.findVirtualAccount(treasurer, id);
    return isSo(one) ? one : null;
  });

test('a read approves one, also if every notification is lost, and shows its number only then', async () => {
  await orderFaults(payrun.sandbox, { operation: 'webhook', kind: 'webhook_drop', times: 20 });
  for (const approveAsync of [true, false]) {
    const asked = await payrun.application.requestVirtualAccount(treasurer, { ...ORDER, approveAsync });
    const pending = await untilShown(asked.virtualAccountId, ({ state }) => state === 'pending');
    expect(pending.number).toBeNull();
    await forceVirtualAccount(payrun.sandbox, pending.requestId ?? '', 'approved');
    const approved = await untilShown(asked.virtualAccountId, ({ state }) => state === 'approved');
    expect(approved.number).toMatch(/^\d+$/);
  }
});

test('one that the provider rejects is rejected', async () => {
  const asked = await payrun.application.requestVirtualAccount(treasurer, { ...ORDER, approveAsync: true });
  const pending = await untilShown(asked.virtualAccountId, ({ state }) => state === 'pending');
  await forceVirtualAccount(payrun.sandbox, pending.requestId ?? '', 'rejected');
  await untilShown(asked.virtualAccountId, ({ state }) => state === 'rejected');
});

test('one whose creation was not answered is found by the notification of its request, by its tag', async () => {
  await orderFaults(payrun.sandbox, { operation: 'virtual-account-request-create', kind: 'reset_after' });
  const asked = await payrun.application.requestVirtualAccount(treasurer, { ...ORDER, approveAsync: true });
  await untilShown(asked.virtualAccountId, ({ state }) => state === 'unknown');
  const there = (await virtualAccountsAt(payrun)).find(({ name }) => name === asked.sentName);
  await forceVirtualAccount(payrun.sandbox, there?.requestId ?? '', 'approved');
  const found = await untilShown(asked.virtualAccountId, ({ state }) => state === 'approved');
  expect(found).toMatchObject({ requestId: there?.requestId, number: expect.stringMatching(/^\d+$/) as string });
});
