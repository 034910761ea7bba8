import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type StoredMetric,
  OPEN_METRICS_STATEMENT,
  readEndedMetrics,
  readOpenMetrics,
} from '../../store/metrics/stored-metrics.ts';
import { requestVirtualAccountAs } from '../../store/accounts/virtual-account-decisions.ts';
import { beginVirtualAccountRequest, giveUpVirtualAccountRequest } from '../../store/accounts/virtual-accounts.ts';
import { readRateLimiterMetrics } from '../../store/metrics/rate-limiter-metrics.ts';
import { storeWebhook } from '../../store/webhooks/webhook-inbox.ts';
import { pauseScheduleAs } from '../../store/treasury/schedules.ts';
import { aSchedule, SWEEP } from '../domain/treasury-schedules.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser } from '../helpers/users.ts';
import { aConfirmedSchedule } from './a-schedule.ts';
import { ACCOUNT, aStoredRun } from './a-stored-run.ts';
import { addAccountWithBooks } from './an-account-with-books.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase({ provider: 'none' });
  await testDatabase.database.query(
    `insert into provider_accounts (account, api_address, access_key, is_sandbox) values ($1, 'https://provider.example', 'x', true)`,
    [ACCOUNT],
  );
});
afterAll(() => testDatabase.drop());

const only = (
  stored: readonly StoredMetric[],
  name: StoredMetric['name'],
  state: string | null = null,
): StoredMetric | undefined => stored.find((each) => each.name === name && each.state === state);

describe('the metrics of the database', () => {
  test('count rows and runs by state, and find the oldest that waits', async () => {
    const { database, asServer } = testDatabase;
    const { runId, paymentIds } = await aStoredRun(database, 3);
    await bypassTriggers(
      database,
      `update payments set state = 'held', changed_at = now() - interval '1 hour' where payment_id = $1`,
      [paymentIds[0]],
    );
    await bypassTriggers(database, `update runs set submitted_at = now() - interval '2 hours' where run_id = $1`, [
      runId,
    ]);
    const stored = await readOpenMetrics(asServer);
    expect(only(stored, 'payments', 'ready')).toMatchObject({ account: ACCOUNT, count: 2 });
    expect(only(stored, 'payments', 'held')).toMatchObject({ account: ACCOUNT, count: 1 });
    expect(only(stored, 'waiting_payments', 'held')?.oldestSeconds).toBeGreaterThanOrEqual(3_600);
    expect(only(stored, 'waiting_payments', 'unknown')).toBeUndefined();
    const run = stored.find(({ name }) => name === 'runs');
    expect(run?.count).toBe(1);
    expect(run?.oldestSeconds).toBeGreaterThanOrEqual(7_200);
    expect(await readEndedMetrics(asServer)).toEqual([]);
  });

  test('show what a webhook named until it is read', async () => {
    const { database, asServer } = testDatabase;
    const { paymentIds } = await aStoredRun(database, 1);
    await bypassTriggers(
      database,
      `update payments set state = 'processing', provider_payment_id = 'provider-1', provider_created_at = now() - interval '3 hours'
         where payment_id = $1`,
      [paymentIds[0]],
    );
    const event = {
      account: ACCOUNT,
      bodySha256: 'a'.repeat(64),
      body: '{}',
      kind: 'simple_payment',
      resourceId: 'provider-1',
    };
    await storeWebhook(asServer, { ...event, saysEnded: true });
    const before = await readOpenMetrics(asServer);
    expect(only(before, 'unprocessed_webhooks')).toMatchObject({ account: ACCOUNT, count: 1 });
    expect(only(before, 'payments_in_flight')?.oldestSeconds).toBeGreaterThanOrEqual(10_800);
    await bypassTriggers(database, 'update payments set polled_at = clock_timestamp() where payment_id = $1', [
      paymentIds[0],
    ]);
    expect(only(await readOpenMetrics(asServer), 'unprocessed_webhooks')).toBeUndefined();
  });

  test('are there for what has neither account nor state, also when there is nothing', async () => {
    const stored = await readOpenMetrics(testDatabase.asServer);
    for (const name of [
      'pending_changes',
      'pending_notifications',
      'overdue_deliveries',
      'failing_endpoints',
    ] as const) {
      expect(only(stored, name), name).toMatchObject({ account: null, oldestSeconds: null });
    }
  });

  test('have virtual accounts, receipts and schedules that wait for somebody', async () => {
    const { database, asServer } = testDatabase;
    const tina = await aUser(testDatabase, 'Tina', 'treasurer');
    const chris = await aUser(testDatabase, 'Chris', 'checker');
    const virtualAccountId = randomUUID();
    await requestVirtualAccountAs(asServer, tina.tokenHash, ACCOUNT, {
      ...{ virtualAccountId, name: 'Sales', tag: 'tag', provider: 'code 1', currency: 'USD', description: 'customers' },
      ...{ type: 'open', amount: null, expiryDuration: null, approveAsync: true },
    });
    await beginVirtualAccountRequest(testDatabase.asWorker, virtualAccountId);
    await giveUpVirtualAccountRequest(testDatabase.asWorker, virtualAccountId);
    await addAccountWithBooks(testDatabase, ACCOUNT, { entryId: 'entry' });
    const scheduleId = await aConfirmedSchedule(testDatabase, [tina, chris], aSchedule(SWEEP));
    const stored = await readOpenMetrics(asServer);
    expect(only(stored, 'virtual_accounts', 'unknown')).toMatchObject({ account: ACCOUNT, count: 1 });
    expect(only(stored, 'unexplained_receipts')).toMatchObject({ account: ACCOUNT, count: 1 });
    expect(only(stored, 'schedules', 'active')).toMatchObject({ account: ACCOUNT, count: 1 });
    expect(only(stored, 'missed_occurrences')).toBeUndefined();
    await database.query(
      `insert into schedule_occurrences (occurrence_id, schedule_id, version, cause, local_date, slot, scheduled_at, calendar_version,
         ended, ended_at)
       select gen_random_uuid(), $1, 1, 'schedule', current_date - days, 1, now() - make_interval(days => days), 0, 'missed',
         now() - make_interval(days => days) from unnest(array[1, 6, 8]) as days`,
      [scheduleId],
    );
    await pauseScheduleAs(asServer, tina.tokenHash, scheduleId, null);
    const later = await readOpenMetrics(asServer);
    expect(only(later, 'missed_occurrences')).toMatchObject({ account: ACCOUNT, count: 2 });
    expect(only(later, 'schedules', 'paused')?.oldestSeconds).toBeGreaterThanOrEqual(0);
  });

  test('are read without looking at all rows, cases, requests or notifications', async () => {
    const { database } = testDatabase;
    await aStoredRun(database, 3_000);
    await database.query('analyze');
    const { rows } = await database.query<{ 'QUERY PLAN': string }>(`explain ${OPEN_METRICS_STATEMENT}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('payments_waiting');
    expect(plan).not.toMatch(/Seq Scan on payments/);
  });
});

test('the rate limiter of an account shows its leases, its pause and the requests of the day', async () => {
  const { database, asWorker } = testDatabase;
  expect(await readRateLimiterMetrics(asWorker)).toEqual([]);
  await database.query(
    `insert into rate_limiters (account, paused_until, paused_for_ms) values ($1, clock_timestamp() + interval '1 minute', 60000)`,
    [ACCOUNT],
  );
  await database.query(
    `insert into request_leases (account, number, holder) values ($1, 0, gen_random_uuid()), ($1, 1, null)`,
    [ACCOUNT],
  );
  await database.query(`insert into request_days values ($1, (clock_timestamp() at time zone 'utc')::date, 7)`, [
    ACCOUNT,
  ]);
  const [rateLimiter] = await readRateLimiterMetrics(asWorker);
  expect(rateLimiter).toMatchObject({ account: ACCOUNT, leasesInUse: 1, dayRequests: 7 });
  expect(rateLimiter?.pausedSeconds).toBeGreaterThan(30);
});
