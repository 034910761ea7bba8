import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { beginAttempt, recordFailure } from '../../store/notifications/deliveries.ts';
import { disableEndpointAs, enableEndpointAs } from '../../store/notifications/endpoints.ts';
import { planDeliveries } from '../../store/notifications/plan-deliveries.ts';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, byTwo, type TestUser } from '../helpers/users.ts';
import { anEndpoint } from './an-endpoint.ts';
import { anApprovedRun } from './a-stored-run.ts';

/** Facts that share a notification, whose delivery never arrives. */
let testDatabase: TestDatabase;
let ada: TestUser;
let endpointId: string;
let paymentIds: string[];

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  ada = await aUser(testDatabase, 'Ada', 'administrator');
  ({ endpointId } = await anEndpoint(testDatabase, ada, { types: ['run.rows_held'] }));
  ({ paymentIds } = await anApprovedRun(testDatabase.database, 3));
  await plan();
});
afterEach(() => testDatabase.drop());

async function plan(): Promise<void> {
  const settings = { gatherMs: 0, quietMs: 0, publicUrl: null };
  while ((await planDeliveries(testDatabase.asWorker, settings)) > 0);
}

async function holdNext(): Promise<void> {
  const paymentId = paymentIds.shift() ?? '';
  await transitionPayment(testDatabase.asWorker, { paymentId, to: 'held', kind: 'held', update: {} });
  await plan();
}

/** How many rows are held by each notification, and what became of that, in their order. */
async function deliveries(): Promise<[number, string][]> {
  const { rows } = await testDatabase.database.query<{ held: number; state: string }>(
    `select (body::jsonb #>> '{data,rows,held}')::int as held, state from deliveries join outbox using (notification_id) order by position`,
  );
  return rows.map(({ held, state }) => [held, state]);
}

const daysPass = (days: number) =>
  testDatabase.database.query(
    `update deliveries set created_at = created_at - make_interval(days => $1), due_at = due_at - make_interval(days => $1),
       first_failed_at = first_failed_at - make_interval(days => $1)`,
    [days],
  );

const disable = () => byTwo(testDatabase, disableEndpointAs(testDatabase.asServer, ada.tokenHash, endpointId));
const enable = () => byTwo(testDatabase, enableEndpointAs(testDatabase.asServer, ada.tokenHash, endpointId));

async function fail(httpStatus = 500): Promise<void> {
  const { asWorker } = testDatabase;
  const attempt = await beginAttempt(asWorker, endpointId);
  if (attempt === null) throw new Error('nothing is due');
  const schedule = { delaysMs: [0], giveUpAfterMs: 5 * 86_400_000 };
  await recordFailure(asWorker, attempt, { error: 'http_status', httpStatus }, schedule);
}

describe('what a disabled endpoint has missed', () => {
  test('in the last seven days is sent when it is enabled, also if a fact like it is older', async () => {
    await disable();
    await holdNext();
    await daysPass(6);
    await holdNext();
    await daysPass(2);
    await enable();
    expect(await deliveries()).toEqual([
      [1, 'disabled'],
      [2, 'queued'],
    ]);
  });

  test('of one subject is notified once, as it was last', async () => {
    await disable();
    for (let facts = 1; facts <= 3; facts += 1) await holdNext();
    await enable();
    expect((await deliveries()).filter(([, state]) => state === 'queued')).toEqual([[3, 'queued']]);
  });
});

describe('a fact that waited with a delivery that fails', () => {
  beforeEach(async () => {
    await holdNext();
    await fail();
    await daysPass(4);
    await holdNext();
    expect(await deliveries()).toEqual([[1, 'failing']]);
  });

  test('is sent by itself when that one is given up', async () => {
    await daysPass(2);
    await fail();
    expect(await deliveries()).toEqual([
      [1, 'failed'],
      [2, 'queued'],
    ]);
  });

  test('waits by itself when the endpoint is given up, and is sent when it is enabled', async () => {
    await fail(410);
    expect(await deliveries()).toEqual([
      [1, 'disabled'],
      [2, 'disabled'],
    ]);
    await daysPass(6);
    await enable();
    expect((await deliveries()).at(-1)).toEqual([2, 'queued']);
  });
});
