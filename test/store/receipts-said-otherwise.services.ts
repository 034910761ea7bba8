import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportDeposit } from '../../store/accounts/deposits.ts';
import { assignReceiptAs } from '../../store/accounts/receipts.ts';
import { listDeposits, listReceipts } from '../../store/accounts/receipt-views.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { ACCOUNT } from './a-stored-run.ts';
import { LedgerWorld } from './ledger-world.ts';
import { listFundingsAs, listRefundsAs, refundOf, returnsOf, explainReceiptsAs } from './refunds-under-test.ts';

/** Money that comes back and looks like a deposit or a funding: it is not lost for its payment. */

let testDatabase: TestDatabase;
let treasurer: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  treasurer = await aUser(testDatabase, 'Tess Treasurer', 'treasurer');
});
afterAll(() => testDatabase.drop());

let worlds = 0;

/** A currency of its own with one paid payment, of an amount that no other has: deposits are reported without a currency. */
async function aPaidPayment(): Promise<{ world: LedgerWorld; paymentId: string; amount: number }> {
  worlds += 1;
  const amount = 100 + worlds;
  const world = new LedgerWorld(testDatabase, `S${String.fromCharCode(65, 65 + worlds)}`);
  world.change(10_000);
  await world.readHistory();
  await world.approveRun([amount]);
  const paymentId = world.runs[0]?.paymentIds[0] ?? '';
  await world.create(paymentId, 0, 'took_effect');
  await world.fund(paymentId, 'answered');
  await world.readHistory();
  await world.end(paymentId, 'paid');
  return { world, paymentId, amount };
}

async function arrive(world: LedgerWorld, amount: number): Promise<void> {
  world.change(amount);
  await world.readHistory();
  await explainReceiptsAs(testDatabase);
}

const reportFalsely = (amount: number) =>
  reportDeposit(testDatabase.asServer, ACCOUNT, {
    ...{
      transactionId: 'forged',
      amount: String(amount),
      status: 'completed',
      virtualAccountId: null,
      accountNumber: null,
    },
  });

async function newestReceipt({ currency }: LedgerWorld) {
  const [newest] = await listReceipts(testDatabase.asServer, { accounts: [ACCOUNT], currency, all: true, limit: 1 });
  return newest;
}

async function say(world: LedgerWorld, refundId: string | null): Promise<void> {
  const entryId = (await newestReceipt(world))?.entryId ?? '';
  const receipt = { account: ACCOUNT, currency: world.currency, entryId, refundId, reason: 'told by the bank' };
  await assignReceiptAs(testDatabase.asServer, treasurer.tokenHash, receipt);
}

test('a deposit, which anybody may report, does not take money before the refunds were listed', async () => {
  const { world, paymentId, amount } = await aPaidPayment();
  await reportFalsely(amount);
  await arrive(world, amount);
  expect((await newestReceipt(world))?.explainedBy).toBeNull();
  await listRefundsAs(testDatabase, await refundOf(testDatabase, world, paymentId, String(amount)));
  await explainReceiptsAs(testDatabase);
  // The deposit may be true: then there would be a second receipt. A person decides.
  expect(await returnsOf(testDatabase, [paymentId])).toEqual([{ state: 'paid', returned: null }]);
  expect((await newestReceipt(world))?.explainedBy).toBeNull();
});

test('money that was taken for a deposit before the provider showed its refund is given to it by a person', async () => {
  const { world, paymentId, amount } = await aPaidPayment();
  await reportFalsely(amount);
  await arrive(world, amount);
  await listRefundsAs(testDatabase);
  await explainReceiptsAs(testDatabase);
  expect((await newestReceipt(world))?.explainedBy).toBe('deposit');
  const refund = await refundOf(testDatabase, world, paymentId, String(amount));
  await listRefundsAs(testDatabase, refund);
  await say(world, refund.id);
  await explainReceiptsAs(testDatabase);
  expect(await returnsOf(testDatabase, [paymentId])).toEqual([{ state: 'returned', returned: amount }]);
  expect(await newestReceipt(world)).toMatchObject({ explainedBy: 'refund', depositTransactionId: null });
  const deposits = await listDeposits(testDatabase.asServer, { accounts: null, state: 'reported', limit: 100 });
  expect(deposits.map((deposit) => Number(deposit.amount))).toContain(amount);
});

test('money that was taken for a funding may be said to be something else, and the funding is open again', async () => {
  const { world, amount } = await aPaidPayment();
  const funding = {
    id: randomUUID(),
    balanceId: null,
    currency: world.currency,
    amount: String(amount),
    reference: null,
  };
  await arrive(world, amount);
  await listRefundsAs(testDatabase);
  await listFundingsAs(testDatabase, { ...funding, status: 'completed' });
  await explainReceiptsAs(testDatabase);
  expect(await newestReceipt(world)).toMatchObject({ explainedBy: 'funding', fundingId: funding.id });
  await say(world, null);
  await explainReceiptsAs(testDatabase);
  expect(await newestReceipt(world)).toMatchObject({ explainedBy: 'person', fundingId: null });
});
