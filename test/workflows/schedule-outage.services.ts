import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordingMissedOccurrences } from '../../application/treasury/missed-occurrences.ts';
import { SWEEP } from '../domain/treasury-schedules.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import {
  ALWAYS_OPEN,
  confirmedSchedule,
  detailOf,
  ordersOf,
  temporalSchedule,
  untilEnded,
} from '../helpers/schedules-under-test.ts';
import { until } from '../helpers/until.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** An outage of the workers, which no window of Temporal covers: what was started waits in the queue. */

const CATCH_UP_MS = 2_000;
const DAY_MS = 86_400_000;

let payrun: PayrunUnderTest;
let tina: TestUser;

beforeAll(async () => {
  payrun = await startPayrun({
    calendars: ALWAYS_OPEN,
    settings: { schedules: { calendars: ALWAYS_OPEN, catchUpMs: CATCH_UP_MS, orderLifetimeMs: 3_600_000 } },
  });
  tina = await aUser(payrun.testDatabase, 'Tina Treasurer', 'treasurer');
});
afterAll(() => payrun.stop());

test('an occurrence that the workers find long after its time is missed, and places nothing', async () => {
  const scheduleId = await confirmedSchedule(payrun, tina, SWEEP, { floor: '0.00', max_order: '1.00' });
  await payrun.stopWorkers();
  const { occurrenceId } = await payrun.application.triggerSchedule(tina, scheduleId, 'during the outage');
  const startedMs = Date.now();
  await until(() => Promise.resolve(Date.now() - startedMs > CATCH_UP_MS));
  await payrun.restartWorkers();
  const [missed] = await untilEnded(payrun, scheduleId);
  expect(missed).toMatchObject({ occurrenceId, ended: 'missed', reason: 'started_too_late' });
  expect(await ordersOf(payrun, occurrenceId)).toEqual([]);
  expect(payrun.sandbox.ledger().requests.byOperation['conversion-quote'] ?? 0).toBe(0);
});

test('of starts that came up in an outage of two days, the first is missed as too late and the next as not started', async () => {
  const scheduleId = await confirmedSchedule(payrun, tina, SWEEP, { floor: '0.00', max_order: '1.00', buy: 'SGD' });
  const daysAgo = (days: number): string => `now() - make_interval(days => ${days})`;
  await payrun.database.query(`update schedules set state_changed_at = ${daysAgo(4)} where schedule_id = $1`, [
    scheduleId,
  ]);
  await payrun.database.query('alter table schedule_decisions disable trigger schedule_decisions_are_kept');
  await payrun.database.query(`update schedule_decisions set decided_at = ${daysAgo(4)} where schedule_id = $1`, [
    scheduleId,
  ]);
  await payrun.stopWorkers();
  const { schedule } = await detailOf(payrun, scheduleId);
  const [time = ''] = schedule.inForce?.schedule['times'] as string[];
  const dateOf = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
  // As Temporal starts it at its times while nobody works: the second one is skipped, as the first waits. Both are asked for
  // at once, since Temporal forgets the first of two requests that it reads together.
  const around = (days: number): { start: Date; end: Date } => {
    const at = Date.parse(`${dateOf(days)}T${time}:00Z`);
    return { start: new Date(at - 1), end: new Date(at + 1) };
  };
  await temporalSchedule(payrun, scheduleId).backfill([around(3), around(2)]);
  await until(async () => (await temporalSchedule(payrun, scheduleId).describe()).info.numActionsSkippedOverlap === 1);
  await payrun.restartWorkers();
  await untilEnded(payrun, scheduleId);
  const recordMissed = recordingMissedOccurrences();
  await recordMissed({ database: payrun.testDatabase.asServer, calendars: ALWAYS_OPEN, now: Date.now });
  const { occurrences } = await detailOf(payrun, scheduleId);
  const found = occurrences.map(({ localDate, ended, reason }) => [localDate, ended, reason]);
  expect(found).toContainEqual([dateOf(3), 'missed', 'started_too_late']);
  expect(found).toContainEqual([dateOf(2), 'missed', 'not_started']);
  expect((await detailOf(payrun, scheduleId)).schedule.state).toBe('active');
});
