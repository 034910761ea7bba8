import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordingMissedOccurrences } from '../../application/treasury/missed-occurrences.ts';
import { occurrenceId as idOf } from '../../domain/treasury/conversion-identity.ts';
import { scheduleHash } from '../../domain/treasury/scheduled-orders.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { beginOccurrence, endOccurrence } from '../../store/treasury/occurrences.ts';
import { decideScheduleAs, editScheduleAs } from '../../store/treasury/schedules.ts';
import { aSchedule, SWEEP } from '../domain/treasury-schedules.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { ALWAYS_OPEN } from '../helpers/schedules-under-test.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aConfirmedSchedule } from './a-schedule.ts';

/** Times of a schedule that are changed during a day: what is not converted for it is recorded. */
let testDatabase: TestDatabase;
let tina: TestUser;
let tom: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  tina = await aUser(testDatabase, 'Tina', 'treasurer');
  tom = await aUser(testDatabase, 'Tom', 'treasurer');
});
afterAll(() => testDatabase.drop());

/** Yesterday, so that all of its times have passed. */
const DATE = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const at = (time: string): string => new Date(`${DATE}T${time}:00Z`).toISOString();

let schedules = 0;

/** Was due at 09:00 and 15:00, ran at 09:00, and is due at other times since noon. */
async function changedTo(times: readonly string[], parts: object = {}): Promise<string> {
  const of = (daily: readonly string[]) =>
    aSchedule(SWEEP, {
      ...{ name: `Schedule ${schedules}`, time_zone: 'UTC', on: { every: 'day' }, convention: 'skip' },
      ...{ times: daily, ...parts },
    });
  schedules += 1;
  const scheduleId = await aConfirmedSchedule(testDatabase, [tina, tom], of(['09:00', '15:00']));
  await begin(scheduleId, 1, '09:00');
  const ended = { ended: 'nothing_to_do', reason: 'nothing_to_convert', pause: null } as const;
  await endOccurrence(testDatabase.asWorker, idOf(scheduleId, DATE, 1), ended);
  const schedule = of(times);
  await editScheduleAs(testDatabase.asServer, tina.tokenHash, { scheduleId, definition: canonicalJson(schedule) });
  await decideScheduleAs(testDatabase.asServer, tom.tokenHash, scheduleId, {
    ...{ version: 2, definitionHash: scheduleHash(schedule), decision: 'confirmed', comment: null },
  });
  for (const [table, column] of [
    ['schedules', 'state_changed_at'],
    ['schedule_decisions', 'decided_at'],
  ]) {
    const statement = `update ${table} set ${column} = $2 where schedule_id = $1`;
    await bypassTriggers(testDatabase.database, statement, [scheduleId, at('12:00')]);
  }
  return scheduleId;
}

const begin = (scheduleId: string, slot: number, time: string): Promise<boolean> =>
  beginOccurrence(testDatabase.asWorker, {
    ...{ occurrenceId: idOf(scheduleId, DATE, slot), scheduleId, localDate: DATE, slot },
    ...{ scheduledAt: at(time), movedFrom: [], calendarVersion: 1 },
  });

/** As a server does every minute, at the end of that day. */
const recordMissed = () =>
  recordingMissedOccurrences()({
    ...{ database: testDatabase.asServer, calendars: ALWAYS_OPEN },
    now: () => Date.parse(at('23:00')),
  });

async function occurrences(scheduleId: string): Promise<[string, string | null][]> {
  const { rows } = await testDatabase.database.query<{ at: Date; reason: string | null }>(
    'select scheduled_at as at, reason from schedule_occurrences where schedule_id = $1 order by at',
    [scheduleId],
  );
  return rows.map(({ at: scheduled, reason }) => [scheduled.toISOString().slice(11, 16), reason]);
}

const NINE = ['09:00', 'nothing_to_convert'];

async function missedNotifications(scheduleId: string): Promise<number> {
  const { rows } = await testDatabase.database.query(
    `select from audit_entries where kind = 'occurrence_ended' and detail ->> 'schedule' = $1 and detail ->> 'state' = 'missed'`,
    [scheduleId],
  );
  return rows.length;
}

test('a time that has the place of one that is done is missed, and that is notified once, however often it is started', async () => {
  const scheduleId = await changedTo(['15:00']);
  expect([await begin(scheduleId, 1, '15:00'), await begin(scheduleId, 1, '15:00')]).toEqual([false, false]);
  await recordMissed();
  expect(await occurrences(scheduleId)).toEqual([NINE, ['15:00', 'time_changed']]);
  expect(await missedNotifications(scheduleId)).toBe(1);
});

test('it is missed as well if nothing has started it', async () => {
  const scheduleId = await changedTo(['15:00']);
  await recordMissed();
  await recordMissed();
  expect(await occurrences(scheduleId)).toEqual([NINE, ['15:00', 'time_changed']]);
  expect(await missedNotifications(scheduleId)).toBe(1);
});

test('further changes on the same day are missed each, and keep no other time from its place', async () => {
  const scheduleId = await changedTo(['15:00', '16:00']);
  await begin(scheduleId, 1, '15:00');
  expect(await begin(scheduleId, 2, '16:00')).toBe(true);
  expect(await occurrences(scheduleId)).toEqual([NINE, ['15:00', 'time_changed'], ['16:00', null]]);
});

test('a time that clocks show twice is one, of which nothing is missed', async () => {
  schedules += 1;
  const name = `Schedule ${schedules}`;
  const parts = {
    name,
    time_zone: 'Europe/Berlin',
    times: ['02:30'],
    on: { every: 'day' },
    convention: 'skip',
    from: '2025-01-01',
  };
  const scheduleId = await aConfirmedSchedule(testDatabase, [tina, tom], aSchedule(SWEEP, parts));
  const localDate = '2025-10-26';
  for (const [hour, isNew] of [
    ['00', true],
    ['01', false],
  ] as const) {
    const begun = await beginOccurrence(testDatabase.asWorker, {
      ...{ occurrenceId: idOf(scheduleId, localDate, 1), scheduleId, localDate, slot: 1, movedFrom: [] },
      ...{ scheduledAt: `${localDate}T${hour}:30:00Z`, calendarVersion: 1 },
    });
    expect(begun).toBe(isNew);
  }
  expect(await occurrences(scheduleId)).toHaveLength(1);
});
