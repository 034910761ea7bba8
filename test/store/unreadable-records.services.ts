import { afterAll, beforeAll, expect, test } from 'vitest';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { LedgerWorld } from './ledger-world.ts';
import { explainReceiptsAs, listRefundsWith, refundOf, returnsOf } from './refunds-under-test.ts';

/** The lists of the provider have records that cannot be read. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

const STAYS_PAID = { state: 'paid', returned: null };
const IS_RETURNED = { state: 'returned', returned: 100 };

/** A payment of 100 that was paid, and whose amount came in since. */
async function aPaymentAndItsMoney(currency: string): Promise<{ world: LedgerWorld; paymentId: string }> {
  const world = new LedgerWorld(testDatabase, currency);
  world.change(1_000);
  await world.readHistory();
  await world.approveRun([100]);
  const [paymentId = ''] = world.runs[0]?.paymentIds ?? [];
  await world.create(paymentId, 0, 'took_effect');
  await world.fund(paymentId, 'answered');
  await world.readHistory();
  await world.end(paymentId, 'paid');
  world.change(100);
  await world.readHistory();
  return { world, paymentId };
}

const stateOf = async (paymentId: string) => (await returnsOf(testDatabase, [paymentId]))[0];

test('a refund waits for a person while the list of refunds has one that cannot be read: the money may be its', async () => {
  const { world, paymentId } = await aPaymentAndItsMoney('UNA');
  const refund = await refundOf(testDatabase, world, paymentId, '100');
  await listRefundsWith(testDatabase, 1, refund);
  await explainReceiptsAs(testDatabase);
  expect(await stateOf(paymentId)).toEqual(STAYS_PAID);
  await listRefundsWith(testDatabase, 0, refund);
  await explainReceiptsAs(testDatabase);
  expect(await stateOf(paymentId)).toEqual(IS_RETURNED);
});

test('a record that cannot be read for a week keeps no refund waiting, whether it is a refund or a funding', async () => {
  const { world, paymentId } = await aPaymentAndItsMoney('UNB');
  const refund = await refundOf(testDatabase, world, paymentId, '100');
  await listRefundsWith(testDatabase, 1, refund);
  const ago = (days: number) =>
    bypassTriggers(
      testDatabase.database,
      `update unreadable_records set first_seen_at = clock_timestamp() - interval '${days} days'`,
    );
  await ago(6);
  await explainReceiptsAs(testDatabase);
  expect(await stateOf(paymentId)).toEqual(STAYS_PAID);
  await ago(8);
  // It is the same record, however often it is listed.
  await listRefundsWith(testDatabase, 1, refund);
  await explainReceiptsAs(testDatabase);
  expect(await stateOf(paymentId)).toEqual(IS_RETURNED);
  await listRefundsWith(testDatabase, 0, refund);
});
