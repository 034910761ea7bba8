import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordLateRefunds, recordUnreadableRecords } from '../../store/accounts/refunds.ts';
import { planDeliveries } from '../../store/notifications/plan-deliveries.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser } from '../helpers/users.ts';
import { ACCOUNT } from './a-stored-run.ts';
import { anEndpoint } from './an-endpoint.ts';
import { LedgerWorld } from './ledger-world.ts';
import { listRefundsAs, listRefundsWith, refundOf, explainReceiptsAs } from './refunds-under-test.ts';

/** Refunds whose money does not come. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await anEndpoint(testDatabase, await aUser(testDatabase, 'Ada', 'administrator'));
});
afterAll(() => testDatabase.drop());

/** The refunds of which people are notified since the last call. */
async function notified(): Promise<unknown[]> {
  await recordLateRefunds(testDatabase.asServer, ACCOUNT);
  while ((await planDeliveries(testDatabase.asWorker, { gatherMs: 0, quietMs: 0, publicUrl: null })) > 0);
  const { rows } = await testDatabase.database.query<{ body: string }>(
    `with taken as (delete from deliveries returning notification_id)
     select body from outbox join taken using (notification_id) where type = 'refund.late' order by position`,
  );
  return rows.map(({ body }) => (JSON.parse(body) as { data: { refundId: string } }).data.refundId);
}

const shownDaysAgo = (refundId: string, days: number): Promise<void> =>
  bypassTriggers(
    testDatabase.database,
    `update refunds set read_at = clock_timestamp() - make_interval(days => $2),
       first_seen_at = clock_timestamp() - make_interval(days => $2) where refund_id = $1`,
    [refundId, days],
  );

test('people are notified once of a refund that was shown five days ago, and not of one whose money came', async () => {
  const world = new LedgerWorld(testDatabase, 'RLA');
  world.change(1_000);
  await world.readHistory();
  await world.approveRun([100, 200]);
  const paymentIds = world.runs[0]?.paymentIds ?? [];
  for (const paymentId of paymentIds) {
    await world.create(paymentId, 0, 'took_effect');
    await world.fund(paymentId, 'answered');
    await world.readHistory();
    await world.end(paymentId, 'paid');
  }
  const [late, credited] = [
    await refundOf(testDatabase, world, paymentIds[0] ?? '', '100.00'),
    await refundOf(testDatabase, world, paymentIds[1] ?? '', '200.00'),
  ];
  await listRefundsAs(testDatabase, late, credited);
  world.change(200);
  await world.readHistory();
  await listRefundsAs(testDatabase, late, credited);
  await explainReceiptsAs(testDatabase);
  await shownDaysAgo(late.id, 4);
  await shownDaysAgo(credited.id, 6);
  expect(await notified()).toEqual([]);
  await shownDaysAgo(late.id, 6);
  expect(await notified()).toEqual([late.id]);
  expect(await notified()).toEqual([]);
});

test('people are notified once of records that cannot be read for a day', async () => {
  const { database, asServer, asWorker } = testDatabase;
  const notices = async (): Promise<unknown[]> => {
    await recordUnreadableRecords(asServer, ACCOUNT);
    while ((await planDeliveries(asWorker, { gatherMs: 0, quietMs: 0, publicUrl: null })) > 0);
    const { rows } = await database.query<{ body: string }>(
      `with taken as (delete from deliveries returning notification_id)
       select body from outbox join taken using (notification_id) where type = 'records.unreadable' order by position`,
    );
    return rows.map(({ body }) => (JSON.parse(body) as { data: unknown }).data);
  };
  await listRefundsWith(testDatabase, 2);
  expect(await notices()).toEqual([]);
  await bypassTriggers(
    database,
    `update unreadable_records set first_seen_at = clock_timestamp() - interval '25 hours'`,
  );
  expect(await notices()).toMatchObject([{ account: ACCOUNT, kind: 'refunds', unreadableRecords: 2 }]);
  expect(await notices()).toEqual([]);
  await listRefundsWith(testDatabase, 0);
  const { rows } = await database.query('select from unreadable_records');
  expect(rows).toEqual([]);
});
