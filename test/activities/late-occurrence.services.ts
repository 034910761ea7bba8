import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { beginOccurrenceActivity } from '../../activities/treasury/begin-occurrence.ts';
import { failOccurrenceActivity } from '../../activities/treasury/conclude-occurrence.ts';
import { placeScheduledOrdersActivity } from '../../activities/treasury/place-scheduled-orders.ts';
import { planOccurrenceActivity } from '../../activities/treasury/plan-occurrence.ts';
import { FIXED_AMOUNT } from '../domain/treasury-schedules.ts';
import { aSchedule } from '../domain/treasury-schedules.ts';
import { ALWAYS_OPEN, everyDayNow } from '../helpers/schedules-under-test.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser } from '../helpers/users.ts';
import { aConfirmedSchedule } from '../store/a-schedule.ts';
import { occurrenceId as idOf } from '../../domain/treasury/conversion-identity.ts';

/** Workers that stop in the middle of an occurrence and come back a day later: it acts at its time or not at all. */

const DAY_MS = 86_400_000;

let testDatabase: TestDatabase;
let number = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

/** What workers do `laterMs` after now, with the database of now. Orders start no workflows here: workers look for them anyway. */
function workersIn(laterMs: number) {
  const temporal = { workflow: { signalWithStart: () => Promise.reject(new Error('Temporal is not running')) } };
  const dependencies = {
    database: testDatabase.asWorker,
    temporal,
    settings: { schedules: { calendars: ALWAYS_OPEN, catchUpMs: 600_000, orderLifetimeMs: 3_600_000 } },
    now: () => Date.now() + laterMs,
  } as unknown as ActivityDependencies;
  return {
    begin: beginOccurrenceActivity(dependencies),
    plan: planOccurrenceActivity(dependencies),
    place: placeScheduledOrdersActivity(dependencies),
    fail: failOccurrenceActivity(dependencies),
  };
}

async function begun(): Promise<{ scheduleId: string; occurrenceId: string }> {
  number += 1;
  const tina = await aUser(testDatabase, `Tina ${number}`, 'treasurer');
  const tom = await aUser(testDatabase, `Tom ${number}`, 'treasurer');
  const schedule = aSchedule(FIXED_AMOUNT, {
    ...{ name: `Schedule ${number}`, buy: ['GBP', 'SGD', 'AUD', 'CAD'][number - 1], ...everyDayNow() },
  });
  const scheduleId = await aConfirmedSchedule(testDatabase, [tina, tom], schedule);
  const at = Math.floor((Date.now() - 60_000) / 60_000) * 60_000;
  const begin = await workersIn(0).begin({ scheduleId, occurrenceId: null, scheduledAtMs: at });
  const occurrenceId = idOf(scheduleId, new Date(at).toISOString().slice(0, 10), 1);
  expect(begin).toEqual({ kind: 'begun', occurrenceId, account: 'default', followsMoney: false });
  return { scheduleId, occurrenceId };
}

async function recordOf(
  occurrenceId: string,
): Promise<{ ended: string | null; reason: string | null; orders: number }> {
  const { rows } = await testDatabase.database.query(
    `select ended, reason, (select count(*)::int from scheduled_orders placed
       where placed.occurrence_id = occurrences.occurrence_id) as orders
     from schedule_occurrences occurrences where occurrence_id = $1`,
    [occurrenceId],
  );
  return rows[0] as never;
}

test.each([11 * 60_000, DAY_MS])('that was begun and not planned places nothing %i ms later', async (laterMs) => {
  const { occurrenceId } = await begun();
  const late = workersIn(laterMs);
  expect(await late.plan({ occurrenceId })).toEqual({ why: 'started_too_late', quotes: 0 });
  expect(await late.place({ occurrenceId })).toEqual({ why: 'started_too_late' });
  expect(await late.fail({ occurrenceId, isOutage: true })).toEqual({ ended: 'missed', pause: null });
  expect(await recordOf(occurrenceId)).toEqual({ ended: 'missed', reason: 'started_too_late', orders: 0 });
});

test('that had placed its order is ended by it, and its activity that is repeated places no other', async () => {
  const { scheduleId, occurrenceId } = await begun();
  const intime = workersIn(0);
  expect(await intime.place({ occurrenceId })).toEqual({ why: null });
  const late = workersIn(DAY_MS);
  await late.place({ occurrenceId });
  expect(await late.fail({ occurrenceId, isOutage: true })).toBeNull();
  expect(await late.begin({ scheduleId, occurrenceId, scheduledAtMs: null })).toEqual({ kind: 'placed', occurrenceId });
  expect(await recordOf(occurrenceId)).toEqual({ ended: null, reason: null, orders: 1 });
});

test('that fails while workers run is a defect, which pauses its schedule', async () => {
  const { occurrenceId } = await begun();
  expect(await workersIn(0).fail({ occurrenceId, isOutage: false })).toEqual({ ended: 'defect', pause: 'defect' });
  expect(await recordOf(occurrenceId)).toMatchObject({ ended: 'defect', reason: 'payrun_failed' });
});
