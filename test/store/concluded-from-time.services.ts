import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { expireRunActivity } from '../../activities/approvals/read-decision.ts';
import { transitionRun } from '../../store/runs/run-transition.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { aUser } from '../helpers/users.ts';
import { aCreatedOrder } from './a-created-order.ts';
import { aQuotedOrder } from './a-stored-order.ts';
import { LedgerWorld } from './ledger-world.ts';
import { RunsInApproval } from './runs-in-approval.ts';

/** What ends because its time is over ends by the clock of the database, whatever a worker or a workflow says. */

let testDatabase: TestDatabase;
let runs: RunsInApproval;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
});
afterAll(() => testDatabase.drop());

const stateOf = async (runId: string): Promise<string | undefined> => {
  const { rows } = await testDatabase.database.query<{ state: string }>('select state from runs where run_id = $1', [
    runId,
  ]);
  return rows[0]?.state;
};

describe('a run in approval', () => {
  const expire = (runId: string) =>
    expireRunActivity({ database: testDatabase.asWorker } as ActivityDependencies)({ runId });

  test('expires once the time to decide on it is over, whoever calls the activity, and not before', async () => {
    const { runId } = await runs.aRun();
    const { isExpired, leftMs } = await expire(runId);
    expect([isExpired, leftMs > 0]).toEqual([false, true]);
    await expect(transitionRun(testDatabase.asWorker, runId, { to: 'expired' })).rejects.toThrow('may still decide');
    expect(await stateOf(runId)).toBe('in_approval');
    await testDatabase.database.query(`update runs set opened_at = opened_at - interval '1 day' where run_id = $1`, [
      runId,
    ]);
    expect(await expire(runId)).toEqual({ isExpired: true, leftMs: 0 });
    expect(await stateOf(runId)).toBe('expired');
  });

  test('has its time from the server that stored it: a worker changes neither that nor its beginning', async () => {
    const { runId } = await runs.aRun();
    for (const change of [`decide_within = interval '0'`, `opened_at = now() - interval '1 year'`]) {
      const changed = testDatabase.asWorker.query(`update runs set ${change} where run_id = $1`, [runId]);
      await expect(changed).rejects.toThrow('permission denied');
    }
  });
});

test('a conversion lapses only after its cut-off, and an order expires only after its time', async () => {
  const people = {
    treasurer: await aUser(testDatabase, 'Tina', 'treasurer'),
    checker: await aUser(testDatabase, 'Carl', 'checker'),
  };
  const world = new LedgerWorld(testDatabase, 'USD');
  world.change(5_000);
  await world.readHistory();
  const { orderId } = await aCreatedOrder(testDatabase, people);
  const cutOff = (interval: string) =>
    bypassTriggers(
      testDatabase.database,
      'update conversion_orders set funding_cutoff_at = now() + $2::interval where order_id = $1',
      [orderId, interval],
    );
  const lapse = () => moveOrder(testDatabase.asWorker, orderId, 'lapsed', { reason: 'cutoff_passed' });
  await cutOff('1 hour');
  await expect(lapse()).rejects.toThrow('is not over');
  await cutOff('-1 hour');
  expect(await lapse()).toBe(true);
  const other = await aQuotedOrder(testDatabase, people);
  const expire = () => moveOrder(testDatabase.asWorker, other.orderId, 'expired', { reason: 'order_expired' });
  await expect(expire()).rejects.toThrow('is not over');
  await bypassTriggers(
    testDatabase.database,
    `update conversion_orders set expires_at = now() - interval '1 second' where order_id = $1`,
    [other.orderId],
  );
  expect(await expire()).toBe(true);
});
