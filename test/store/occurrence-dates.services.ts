import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays, weekdayOf } from '../../domain/calendar-date.ts';
import { CONVENTIONS } from '../../domain/treasury/business-day.ts';
import { WEEKDAYS } from '../../domain/treasury/calendar-overrides.ts';
import { occurrenceId as idOf } from '../../domain/treasury/conversion-identity.ts';
import { dueOn } from '../../domain/treasury/schedule-dates.ts';
import { type Schedule } from '../../domain/treasury/schedule.ts';
import { beginOccurrence, startOccurrenceAs } from '../../store/treasury/occurrences.ts';
import { aSchedule, FIXED_AMOUNT } from '../domain/treasury-schedules.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aConfirmedSchedule } from './a-schedule.ts';
import { refusedWith } from './runs-in-approval.ts';

/** The database computes itself whether a schedule was due on a date: whoever starts an occurrence gives the date. */

let testDatabase: TestDatabase;
let treasurers: [TestUser, TestUser];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  treasurers = [await aUser(testDatabase, 'Tina', 'treasurer'), await aUser(testDatabase, 'Tom', 'treasurer')];
});
afterAll(() => testDatabase.drop());

describe('an occurrence', () => {
  let schedules = 0;
  let scheduleId: string;

  /** Mondays and the last of the month at 14:00 in Berlin; a date without business is the next business day. */
  beforeEach(async () => {
    schedules += 1;
    const parts = { name: `Schedule ${schedules}`, on: { weekdays: ['monday'] }, convention: 'following' };
    scheduleId = await aConfirmedSchedule(testDatabase, treasurers, aSchedule(FIXED_AMOUNT, parts));
  });

  const of = (localDate: string, movedFrom: string[] = [], slot = 1) => ({
    ...{ occurrenceId: idOf(scheduleId, localDate, slot), scheduleId, localDate, slot, movedFrom, calendarVersion: 1 },
  });
  const begin = (localDate: string, movedFrom: string[] = []): Promise<boolean> =>
    beginOccurrence(testDatabase.asWorker, { ...of(localDate, movedFrom), scheduledAt: `${localDate}T13:00:00Z` });
  const makeUp = (localDate: string, movedFrom: string[] = []): Promise<boolean> =>
    startOccurrenceAs(testDatabase.asServer, treasurers[0].tokenHash, of(localDate, movedFrom));

  test('is begun only on a date of its schedule, or on one that such a date was moved to', async () => {
    await expect(begin('2026-11-03')).rejects.toThrow('has no such time');
    // Neither is a Monday that is later, a date that is none, nor a Monday of before its first day.
    for (const movedFrom of ['2026-11-09', '2026-11-01', '2025-12-29']) {
      await expect(begin('2026-11-03', [movedFrom])).rejects.toThrow('has no such time');
    }
    expect([await begin('2026-11-02'), await begin('2026-11-10', ['2026-11-09'])]).toEqual([true, true]);
  });

  test('is not begun for a date that another one was for', async () => {
    expect(await begin('2026-11-03', ['2026-11-02'])).toBe(true);
    // The calendars were corrected: the Monday was a business day after all.
    expect([await begin('2026-11-02'), await begin('2026-11-04', ['2026-11-02'])]).toEqual([false, false]);
    expect(await begin('2026-11-04', ['2026-11-02', '2026-10-26'])).toBe(true);
  });

  test('is made up for only on a date of its schedule that has passed', async () => {
    for (const [wrong = '', ...movedFrom] of [['2026-11-03'], ['2099-11-02'], ['2026-11-03', '2026-11-09']]) {
      await expect(makeUp(wrong, movedFrom)).rejects.toMatchObject(refusedWith('invalid_input'));
    }
    await expect(
      startOccurrenceAs(testDatabase.asServer, treasurers[0].tokenHash, of('2026-11-02', [], 0)),
    ).rejects.toMatchObject(refusedWith('invalid_input'));
    expect([await makeUp('2026-11-02'), await makeUp('2026-11-10', ['2026-11-09'])]).toEqual([true, true]);
    await expect(makeUp('2026-11-11', ['2026-11-09'])).rejects.toMatchObject(refusedWith('invalid_input'));
  });
});

/** Dates of two years, with ends of months, leap days and weeks of all kinds. */
const date = fc.integer({ min: 0, max: 900 }).map((days) => addDays('2027-01-01', days));
const rule = fc.oneof(
  fc.constant({ every: 'day' }),
  fc.record({ weekdays: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 }) }),
  fc.record({
    days_of_month: fc.uniqueArray(fc.oneof(fc.integer({ min: 1, max: 28 }), fc.constant('last')), { minLength: 1 }),
  }),
);
const timing = fc
  .record({ on: rule, convention: fc.constantFrom(...CONVENTIONS), from: date, until: fc.option(date) })
  .map(({ until, ...parts }): Schedule => {
    const [from = '', last = null] = until === null ? [parts.from] : [parts.from, until].sort();
    return aSchedule(FIXED_AMOUNT, { ...parts, from, until: last });
  });
/** Some days of the week have no business, and holidays, some of them in a row. */
const closed = fc.record({
  weekend: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 3 }),
  holidays: fc.array(fc.integer({ min: 0, max: 930 }), { minLength: 30, maxLength: 60 }),
});

test('the database and the code agree on the dates of a schedule, whatever its rule and the calendars', async () => {
  const cases = fc.sample(fc.record({ timing, closed, first: fc.integer({ min: 0, max: 800 }) }), 300);
  const asked = cases.flatMap(({ timing: schedule, closed: days, first }) => {
    const holidays = new Set(days.holidays.flatMap((day) => [day, day + 1]).map((day) => addDays('2027-01-01', day)));
    const isOpen = (day: string): boolean => !days.weekend.includes(weekdayOf(day)) && !holidays.has(day);
    return Array.from({ length: 70 }, (_, day) => addDays('2027-01-01', first + day)).map((localDate) => {
      const dates = dueOn(localDate, schedule, isOpen);
      const always = dueOn(localDate, schedule, () => true);
      const movedFrom = dates.filter((day) => day !== localDate);
      return { definition: schedule, localDate, movedFrom, isDue: dates.length > 0, isByRule: always.length > 0 };
    });
  });
  const { rows } = await testDatabase.database.query<{ at: number; holds: boolean; own: boolean }>(
    `select place::int as at, are_dates_of(one -> 'definition', (one ->> 'localDate')::date,
       array(select jsonb_array_elements_text(one -> 'movedFrom')::date)) as holds,
       are_dates_of(one -> 'definition', (one ->> 'localDate')::date, '{}') as own
     from jsonb_array_elements($1::jsonb) with ordinality as cases (one, place)`,
    [JSON.stringify(asked)],
  );
  const wrong = rows.flatMap(({ at, holds, own }) => {
    const one = asked[at - 1];
    // Where nothing was moved, and the date is open or not, the rule alone decides.
    const isWrong = one === undefined || (one.isDue && !holds) || own !== one.isByRule;
    return isWrong ? [{ ...one, holds, own }] : [];
  });
  expect(wrong).toEqual([]);
  expect(asked.filter(({ movedFrom }) => movedFrom.length > 0).length).toBeGreaterThan(100);
}, 60_000);
