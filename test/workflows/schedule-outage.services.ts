import { afterAll, beforeAll, expect, test } from 'vitest';
import { CATCH_UP_WINDOW_MS } from '../../domain/treasury/schedule-dates.ts';
import { FIXED_AMOUNT, SWEEP } from '../domain/treasury-schedules.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import {
  ALWAYS_OPEN,
  confirmedSchedule,
  detailOf,
  followAll,
  ordersOf,
  temporalSchedule,
  untilEnded,
} from '../helpers/schedules-under-test.ts';
import { until } from '../helpers/until.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** An outage of the workers, which no window of Temporal covers: what was started waits in the queue. */

/** Of the tests that wait until it is over. */
const SHORT_CATCH_UP_MS = 2_000;
const DAY_MS = 86_400_000;

const schedules = { calendars: ALWAYS_OPEN, catchUpMs: CATCH_UP_WINDOW_MS, orderLifetimeMs: 3_600_000 };
let payrun: PayrunUnderTest;
let tina: TestUser;

beforeAll(async () => {
  payrun = await startPayrun({ calendars: ALWAYS_OPEN, settings: { schedules } });
  tina = await aUser(payrun.testDatabase, 'Tina Treasurer', 'treasurer');
});
afterAll(() => payrun.stop());

test('an occurrence that the workers find long after its time is missed, and places nothing', async () => {
  const scheduleId = await confirmedSchedule(payrun, tina, SWEEP, { floor: '0.00', max_order: '1.00' });
  schedules.catchUpMs = SHORT_CATCH_UP_MS;
  await payrun.stopWorkers();
  const { occurrenceId } = await payrun.application.triggerSchedule(tina, scheduleId, 'during the outage');
  const startedMs = Date.now();
  await until(() => Promise.resolve(Date.now() - startedMs > SHORT_CATCH_UP_MS));
  await payrun.restartWorkers();
  const [missed] = await untilEnded(payrun, scheduleId);
  expect(missed).toMatchObject({ occurrenceId, ended: 'missed', reason: 'started_too_late' });
  expect(await ordersOf(payrun, occurrenceId)).toEqual([]);
  expect(payrun.sandbox.ledger().requests.byOperation['conversion-quote'] ?? 0).toBe(0);
});

test('of starts that came up in an outage of three days, those that are too late are missed, and the last is carried out', async () => {
  schedules.catchUpMs = CATCH_UP_WINDOW_MS;
  await followAll(payrun, { USD: '1000.00' });
  const scheduleId = await confirmedSchedule(payrun, tina, FIXED_AMOUNT, { amount: '400.00', max_order: '500.00' });
  await payrun.stopWorkers();
  const { schedule } = await detailOf(payrun, scheduleId);
  const [time = ''] = schedule.inForce?.schedule['times'] as string[];
  const dateOf = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
  // As Temporal starts it at its times while nobody works: each waits for the one before it. They are asked for at once, since
  // Temporal forgets the first of two requests that it reads together.
  const around = (days: number): { start: Date; end: Date } => {
    const at = Date.parse(`${dateOf(days)}T${time}:00Z`);
    return { start: new Date(at - 1), end: new Date(at + 1) };
  };
  const handle = temporalSchedule(payrun, scheduleId);
  await handle.backfill([around(2), around(1), around(0)]);
  await until(async () => Number((await handle.describe()).raw.info?.bufferSize) === 2);
  await payrun.restartWorkers();
  const occurrences = await untilEnded(payrun, scheduleId, 3);
  const found = new Map(occurrences.map(({ localDate, ended, reason }) => [localDate, [ended, reason]]));
  expect(found).toEqual(
    new Map([
      [dateOf(2), ['missed', 'started_too_late']],
      [dateOf(1), ['missed', 'started_too_late']],
      [dateOf(0), ['done', null]],
    ]),
  );
  expect((await detailOf(payrun, scheduleId)).schedule.state).toBe('active');
});
