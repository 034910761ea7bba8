import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { HISTORY_SETTINGS } from '../../domain/accounts/history-schedule.ts';
import { RECEIPT_SETTINGS } from '../../domain/accounts/receipt-schedule.ts';
import { type PayrunUnderTest, startPayrun, WEBHOOK_HEADERS } from '../helpers/payrun-under-test.ts';
import { addFunding, clearFaults, orderFaults, setBalance, webhooksOf } from '../helpers/sandbox-control.ts';
import { aUser } from '../helpers/users.ts';
import { until } from '../helpers/until.ts';

/** Money that arrives at a provider whose notifications are lost, doubled, forged or early. */

let payrun: PayrunUnderTest;

beforeAll(async () => {
  const history = { ...HISTORY_SETTINGS, quietMs: 200, everyMs: 1_000, waitingEveryMs: 1_000, idleEveryMs: 2_000 };
  payrun = await startPayrun({
    settings: { history, receipts: { ...RECEIPT_SETTINGS, listEveryMs: 300, idleListEveryMs: 3_000 } },
  });
  // Somebody looks: from then on the balances are followed.
  await payrun.application.listBalances(payrun.checker, { account: null, currency: null });
  await setBalance(payrun.sandbox, 'USD', '90000000.00');
  await until(async () => (await receiptsOf()).length > 0);
});
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

const filter = { account: null, currency: null, limit: 100 };
const receiptsOf = async (all = true) =>
  (await payrun.application.listReceipts(payrun.checker, { ...filter, all })).receipts;
const fundingsOf = async () =>
  (await payrun.application.listFundings(payrun.checker, { ...filter, status: null })).fundings;
const fundingOf = async (fundingId: string) => (await fundingsOf()).find((one) => one.fundingId === fundingId);
const depositOf = async (transactionId: string) =>
  (await payrun.application.listDeposits(payrun.checker, { account: null, state: null, limit: 100 })).deposits.find(
    (one) => one.transactionId === transactionId,
  );

async function notify(body: object): Promise<void> {
  const { url } = await webhooksOf(payrun.sandbox);
  const headers = { 'content-type': 'application/json', ...WEBHOOK_HEADERS };
  expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).ok).toBe(true);
}

test('a funding is followed from its first status to its money, whose notifications come twice', async () => {
  await orderFaults(payrun.sandbox, { operation: 'webhook', kind: 'webhook_duplicate', times: 20 });
  const funding = await addFunding(payrun.sandbox, { currency: 'USD', amount: '77.01', status: 'awaiting_funds' });
  await until(async () => (await fundingOf(funding.id))?.status === 'awaiting_funds');
  await funding.force('pending');
  await until(async () => (await fundingOf(funding.id))?.status === 'pending');
  expect((await fundingOf(funding.id))?.creditedAt).toBeNull();
  await funding.force('completed');
  await until(async () => (await fundingOf(funding.id))?.creditedAt !== null);
  const receipts = await receiptsOf();
  expect(receipts.filter(({ fundingId }) => fundingId === funding.id)).toMatchObject([
    { explainedBy: 'funding', currency: 'USD' },
  ]);
});

test('fundings whose notifications are lost are found in the list, on whatever page', async () => {
  await orderFaults(payrun.sandbox, { operation: 'webhook', kind: 'webhook_drop', times: 200 });
  // The provider shows twenty on a page.
  const fundings = await Promise.all(
    Array.from({ length: 25 }, (_, n) => addFunding(payrun.sandbox, { currency: 'USD', amount: `${100 + n}.02` })),
  );
  await clearFaults(payrun.sandbox);
  await until(async () => {
    const listed = await fundingsOf();
    const all = fundings.map(({ id }) => listed.find(({ fundingId }) => fundingId === id));
    return all.every((one) => one !== undefined && one.creditedAt !== null);
  });
});

test('a forged deposit stays reported; a forged funding is not shown by the provider', async () => {
  await notify({ action: 'deposit', status: 'completed', transactionId: '999', sourceAmount: 4_711.03 });
  await notify({ action: 'deposit', status: 'completed', transactionId: '998', sourceAmount: '-5' });
  await notify({ fundingId: 'nobodys', resource: 'funding', status: 'completed' });
  await until(async () => (await fundingOf('nobodys')) !== undefined);
  expect(await fundingOf('nobodys')).toMatchObject({ status: null, amount: null, creditedAt: null });
  expect(await depositOf('999')).toMatchObject({ state: 'reported', amount: '4711.03', currency: null });
  expect(await depositOf('998')).toBeUndefined();
});

test('money that nothing explains is listed with its age until a treasurer says what it is', async () => {
  await setBalance(payrun.sandbox, 'USD', '99000000.04');
  const receipt = await until(
    async () =>
      (await receiptsOf(false)).find(({ currency, explainedBy }) => currency === 'USD' && explainedBy === null) ?? null,
  );
  expect(receipt.ageSeconds).toBeLessThan(3_600);
  const { account, currency, entryId } = receipt;
  const assignment = { account, currency, entryId, refundId: null, reason: 'opening transfer' };
  await expect(payrun.application.assignReceipt(payrun.maker, assignment)).rejects.toThrow('assign receipt');
  await payrun.application.assignReceipt(await aUser(payrun.testDatabase, 'Tess Treasurer', 'treasurer'), assignment);
  expect((await receiptsOf(false)).some((one) => one.entryId === entryId)).toBe(false);
  expect((await receiptsOf()).find((one) => one.entryId === entryId)).toMatchObject({
    explainedBy: 'person',
    assignment: { reason: 'opening transfer' },
  });
});

test('a limited user sees nothing of other accounts', async () => {
  const stranger = { ...payrun.checker, accounts: ['another'] };
  expect((await payrun.application.listReceipts(stranger, { ...filter, all: true })).receipts).toEqual([]);
  expect((await payrun.application.listFundings(stranger, { ...filter, status: null })).fundings).toEqual([]);
  expect((await payrun.application.listDeposits(stranger, { account: null, state: null, limit: 10 })).deposits).toEqual(
    [],
  );
});
