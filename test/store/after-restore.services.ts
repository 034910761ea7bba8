import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordingMissedOccurrences } from '../../application/treasury/missed-occurrences.ts';
import { afterRestore } from '../../store/users/owner-users.ts';
import { resumeScheduleAs } from '../../store/treasury/schedules.ts';
import { aSchedule, SWEEP } from '../domain/treasury-schedules.ts';
import { conversionWorker } from '../helpers/conversion-worker.ts';
import { ALWAYS_OPEN } from '../helpers/schedules-under-test.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { createTreasuryDatabase } from '../helpers/treasury-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aConfirmedSchedule } from './a-schedule.ts';
import { aQuotedOrder, aStoredOrder, stateOf } from './a-stored-order.ts';
import { timePasses } from './time-passes.ts';

/** The database is that of some days ago: what was converted since is not in it. */

let testDatabase: TestDatabase;
let treasurer: TestUser;
let checker: TestUser;
let other: TestUser;
let scheduleId: string;

beforeAll(async () => {
  ({ testDatabase, treasurer, checker } = await createTreasuryDatabase());
  other = await aUser(testDatabase, 'Tom', 'treasurer');
  const daily = { time_zone: 'UTC', times: ['09:00'], on: { every: 'day' }, convention: 'skip' };
  scheduleId = await aConfirmedSchedule(
    testDatabase,
    [treasurer, other],
    aSchedule(SWEEP, { name: 'Daily', ...daily }),
  );
  await timePasses(testDatabase, 3 * 86_400_000);
});
afterAll(() => testDatabase.drop());

const recordMissed = () =>
  recordingMissedOccurrences()({ database: testDatabase.asServer, calendars: ALWAYS_OPEN, now: Date.now });

const countOf = async (text: string) => (await testDatabase.database.query(text)).rowCount;

test('schedules are paused, and call nothing missed, also after they are resumed; orders are looked up', async () => {
  const orders = [
    await aStoredOrder(testDatabase, treasurer, 'in_approval'),
    await aStoredOrder(testDatabase, treasurer, 'approved'),
    await aQuotedOrder(testDatabase, { treasurer, checker }),
    await aStoredOrder(testDatabase, treasurer, 'held'),
  ];
  const created = await aStoredOrder(testDatabase, treasurer, 'created', { hasConversion: true });
  await afterRestore(testDatabase.url);
  await afterRestore(testDatabase.url);
  const stops = `select from stops where scope = 'all' and lifted_at is null`;
  const paused = `select from schedules where state = 'paused' and state_reason = 'restored'`;
  expect([await countOf(stops), await countOf(paused)]).toEqual([1, 1]);
  for (const { orderId } of orders) {
    expect(await stateOf(testDatabase, orderId)).toBe('unknown');
    expect(await conversionWorker(testDatabase, {}).stage({ orderId })).toMatchObject({ step: 'resolve_creation' });
  }
  expect(await stateOf(testDatabase, created.orderId)).toBe('created');
  await recordMissed();
  await resumeScheduleAs(testDatabase.asServer, other.tokenHash, scheduleId, 'compared');
  await recordMissed();
  expect(await countOf('select from schedule_occurrences')).toBe(0);
});
