import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Figure,
  OPEN_FIGURES_STATEMENT,
  readEndedFigures,
  readOpenFigures,
} from '../../store/figures/record-figures.ts';
import { requestVirtualAccountAs } from '../../store/accounts/virtual-account-decisions.ts';
import { beginVirtualAccountRequest, giveUpVirtualAccountRequest } from '../../store/accounts/virtual-accounts.ts';
import { readGateFigures } from '../../store/figures/gate-figures.ts';
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
  testDatabase = await createTestDatabase();
  await testDatabase.database.query(
    `insert into provider_accounts (account, api_address, access_key, is_sandbox) values ($1, 'https://provider.example', 'x', true)`,
    [ACCOUNT],
  );
});
afterAll(() => testDatabase.drop());

const only = (figures: readonly Figure[], name: Figure['name'], state: string | null = null): Figure | undefined =>
  figures.find((figure) => figure.name === name && figure.state === state);

describe('the figures of the record', () => {
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
    const figures = await readOpenFigures(asServer);
    expect(only(figures, 'payments', 'ready')).toMatchObject({ account: ACCOUNT, count: 2 });
    expect(only(figures, 'payments', 'held')).toMatchObject({ account: ACCOUNT, count: 1 });
    expect(only(figures, 'waiting_payments', 'held')?.oldestSeconds).toBeGreaterThanOrEqual(3_600);
    expect(only(figures, 'waiting_payments', 'unknown')).toBeUndefined();
    const run = figures.find(({ name }) => name === 'runs');
    expect(run?.count).toBe(1);
    expect(run?.oldestSeconds).toBeGreaterThanOrEqual(7_200);
    expect(await readEndedFigures(asServer)).toEqual([]);
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
    const before = await readOpenFigures(asServer);
    expect(only(before, 'unprocessed_webhooks')).toMatchObject({ account: ACCOUNT, count: 1 });
    expect(only(before, 'payments_in_flight')?.oldestSeconds).toBeGreaterThanOrEqual(10_800);
    await bypassTriggers(database, 'update payments set swept_at = clock_timestamp() where payment_id = $1', [
      paymentIds[0],
    ]);
    expect(only(await readOpenFigures(asServer), 'unprocessed_webhooks')).toBeUndefined();
  });

  test('are there for what has neither account nor state, also when there is nothing', async () => {
    const figures = await readOpenFigures(testDatabase.asServer);
    for (const name of [
      'pending_changes',
      'pending_notifications',
      'overdue_deliveries',
      'failing_endpoints',
    ] as const) {
      expect(only(figures, name), name).toMatchObject({ account: null, oldestSeconds: null });
    }
  });

  test('have virtual accounts, receipts and schedules that wait for somebody', async () => {
    const { database, asServer } = testDatabase;
    const tina = await aUser(testDatabase, 'Tina', 'treasurer');
    const chris = await aUser(testDatabase, 'Chris', 'checker');
    const virtualAccountId = randomUUID();
    await requestVirtualAccountAs(asServer, tina.proof, ACCOUNT, {
      ...{ virtualAccountId, name: 'Sales', tag: 'tag', provider: 'code 1', currency: 'USD', description: 'customers' },
      ...{ type: 'open', amount: null, expiryDuration: null, approveAsync: true },
    });
    await beginVirtualAccountRequest(testDatabase.asWorker, virtualAccountId);
    await giveUpVirtualAccountRequest(testDatabase.asWorker, virtualAccountId);
    await addAccountWithBooks(testDatabase, ACCOUNT, { entryId: 'entry' });
    const scheduleId = await aConfirmedSchedule(testDatabase, [tina, chris], aSchedule(SWEEP));
    const figures = await readOpenFigures(asServer);
    expect(only(figures, 'virtual_accounts', 'unknown')).toMatchObject({ account: ACCOUNT, count: 1 });
    expect(only(figures, 'unexplained_receipts')).toMatchObject({ account: ACCOUNT, count: 1 });
    expect(only(figures, 'schedules', 'active')).toMatchObject({ account: ACCOUNT, count: 1 });
    expect(only(figures, 'missed_occurrences')).toBeUndefined();
    await database.query(
      `insert into schedule_occurrences (occurrence_id, schedule_id, version, cause, local_date, slot, scheduled_at, calendar_version,
         ended, ended_at)
       select gen_random_uuid(), $1, 1, 'schedule', current_date - days, 1, now() - make_interval(days => days), 0, 'missed',
         now() - make_interval(days => days) from unnest(array[1, 6, 8]) as days`,
      [scheduleId],
    );
    await pauseScheduleAs(asServer, tina.proof, scheduleId, null);
    const later = await readOpenFigures(asServer);
    expect(only(later, 'missed_occurrences')).toMatchObject({ account: ACCOUNT, count: 2 });
    expect(only(later, 'schedules', 'paused')?.oldestSeconds).toBeGreaterThanOrEqual(0);
  });

  test('are read without looking at all rows, cases, requests or notifications', async () => {
    const { database } = testDatabase;
    await aStoredRun(database, 3_000);
    await database.query('analyze');
    const { rows } = await database.query<{ 'QUERY PLAN': string }>(`explain ${OPEN_FIGURES_STATEMENT}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('payments_waiting');
    expect(plan).not.toMatch(/Seq Scan on payments/);
  });
});

test('the gate of an account shows its slots, its pause and the requests of the day', async () => {
  const { database, asWorker } = testDatabase;
  expect(await readGateFigures(asWorker)).toEqual([]);
  await database.query(
    `insert into request_gates (account, paused_until, paused_for_ms) values ($1, clock_timestamp() + interval '1 minute', 60000)`,
    [ACCOUNT],
  );
  await database.query(
    `insert into request_slots (account, slot, holder) values ($1, 0, gen_random_uuid()), ($1, 1, null)`,
    [ACCOUNT],
  );
  await database.query(`insert into request_days values ($1, (clock_timestamp() at time zone 'utc')::date, 7)`, [
    ACCOUNT,
  ]);
  const [gate] = await readGateFigures(asWorker);
  expect(gate).toMatchObject({ account: ACCOUNT, slotsInUse: 1, dayRequests: 7 });
  expect(gate?.pausedSeconds).toBeGreaterThan(30);
});
