import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { listPaymentsToReadActivity, pollPaymentsActivity } from '../../activities/payments/poll-payments.ts';
import { MAX_POLL_SIZE } from '../../domain/payments/poll-schedule.ts';
import { SeededRandom } from '../../sandbox/core/seeded-random.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT, aStoredRun } from '../store/a-stored-run.ts';
import { asActivity } from './activities-under-test.ts';

/** How many reads confirm payments where the provider shows few of them in one answer. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

const PAYMENTS = 300;

/** Payments in flight that were created a tenth of a second apart; of every five, two have completed. */
async function inFlight(): Promise<{ id: string; createdAt: number; status: string }[]> {
  const { runId, paymentIds } = await aStoredRun(testDatabase.database, PAYMENTS);
  onTestFinished(() =>
    bypassTriggers(testDatabase.database, `update payments set state = 'paid' where run_id = $1`, [runId]),
  );
  const firstMs = Date.parse('2026-03-01T08:00:00Z');
  const all = paymentIds.map((paymentId, index) => ({
    ...{ paymentId, id: randomUUID(), createdAt: firstMs + index * 100 },
    status: index % 5 < 3 ? 'processing' : 'completed',
  }));
  await bypassTriggers(
    testDatabase.database,
    `update payments set state = 'processing', provider_payment_id = made.id, provider_created_at = made.at,
       funded_at = clock_timestamp() - interval '1 minute',
       webhook_received_at = case when made.status = 'completed' then clock_timestamp() end
     from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::text[]) as made (payment_id, id, at, status)
     where payments.payment_id = made.payment_id`,
    [
      all.map(({ paymentId }) => paymentId),
      all.map(({ id }) => id),
      all.map(({ createdAt }) => new Date(createdAt)),
      all.map(({ status }) => status),
    ],
  );
  return all;
}

/** A provider whose list shows at most so many payments, whichever. */
function listing(
  payments: readonly { id: string; createdAt: number; status: string }[],
  most: number,
): ActivityDependencies {
  const random = new SeededRandom('capped lists');
  const findReadable = ({ startDate, endDate }: { startDate: Date; endDate: Date }) => {
    const inside = payments.filter(({ createdAt }) => createdAt >= +startDate && createdAt < +endDate);
    const shuffled = inside.map((payment) => ({ payment, at: random.fraction() })).sort((a, b) => a.at - b.at);
    const shown = shuffled.slice(0, most);
    return Promise.resolve(shown.map(({ payment }) => ({ simplePaymentId: payment.id, status: payment.status })));
  };
  const stateOf = (status: string) => (status === 'completed' ? 'paid' : 'processing');
  return {
    database: testDatabase.asWorker,
    provider: () => ({ simplePayments: { findReadable } }),
    now: Date.now,
    settings: { stateOf, confirmationAgeLimitMs: 86_400_000, fundsAgeLimitMs: 86_400_000 },
  } as unknown as ActivityDependencies;
}

async function unconfirmed(): Promise<number> {
  const { rows } = await testDatabase.database.query<{ n: number }>(
    `select count(*)::int as n from payments where state = 'processing' and webhook_received_at is not null`,
  );
  return rows[0]?.n ?? 0;
}

test('where an answer shows fifty of many payments, each read confirms about fifty, and few are read one by one', async () => {
  const dependencies = listing(await inFlight(), 50);
  const pollPayments = pollPaymentsActivity(dependencies);
  const listPaymentsToRead = listPaymentsToReadActivity(dependencies);
  let size = MAX_POLL_SIZE;
  let reads = 0;
  let single = 0;
  while ((await unconfirmed()) > 0 && reads < 100) {
    size = (await asActivity(() => pollPayments({ account: ACCOUNT, size }))).nextSize;
    single += (await listPaymentsToRead({ account: ACCOUNT })).paymentIds.length;
    reads += 1;
  }
  // Six answers could show all of them, if none showed a payment twice.
  expect(reads).toBeLessThanOrEqual(24);
  expect(single).toBeLessThanOrEqual(PAYMENTS / 20);
});
