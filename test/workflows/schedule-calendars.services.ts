import { ScheduleOverlapPolicy } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nationalHolidays } from '../../config/treasury/national-holidays.ts';
import { FIXED_AMOUNT } from '../domain/treasury-schedules.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { confirmedSchedule, detailOf, temporalSchedule } from '../helpers/schedules-under-test.ts';
import { until } from '../helpers/until.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/**
 * Local times and holidays, from the schedules of a real Temporal to the database: it starts the schedule at each of its times
 * in a stretch of the past, and what was due then is recorded, as missed.
 */

/** Of an installation, whose banks for pounds and Canadian dollars never close. */
const CALENDARS = {
  overrides: {
    version: 1,
    currencies: { GBP: { country: 'none', weekend: [] }, CAD: { country: 'none', weekend: [] } },
  },
  holidaysOf: nationalHolidays,
};

let payrun: PayrunUnderTest;
let tina: TestUser;

beforeAll(async () => {
  payrun = await startPayrun({
    calendars: CALENDARS,
    settings: { schedules: { calendars: CALENDARS, catchUpMs: 600_000, orderLifetimeMs: 3_600_000 } },
  });
  tina = await aUser(payrun.testDatabase, 'Tina Treasurer', 'treasurer');
});
afterAll(() => payrun.stop());

interface Due {
  localDate: string;
  at: string;
  movedFrom: string[];
}

/** What was due when Temporal starts the schedule at every time between two instants, after `starts` starts. */
async function dueBetween(differences: object, [start, end]: [string, string], starts: number): Promise<Due[]> {
  const scheduleId = await confirmedSchedule(payrun, tina, FIXED_AMOUNT, { sell: 'USD', buy: 'EUR', ...differences });
  const handle = temporalSchedule(payrun, scheduleId);
  const overlap = ScheduleOverlapPolicy.BUFFER_ALL;
  await handle.backfill({ start: new Date(start), end: new Date(end), overlap });
  await until(async () => {
    const { info } = await handle.describe();
    return info.numActionsTaken === starts && info.runningActions.length === 0;
  });
  const { occurrences } = await detailOf(payrun, scheduleId);
  expect(occurrences.every(({ ended }) => ended === 'missed')).toBe(true);
  return occurrences
    .map(({ localDate, scheduledAt, movedFrom }) => ({ localDate, at: scheduledAt, movedFrom }))
    .sort((one, other) => (one.localDate < other.localDate ? -1 : 1));
}

const BERLIN = { time_zone: 'Europe/Berlin', on: { every: 'day' }, convention: 'skip' };
const datesOf = (due: readonly Due[]): string[] => due.map(({ localDate }) => localDate);

test('a time of day stays what it is when clocks change, in both directions', async () => {
  const at = { ...BERLIN, times: ['14:00'] };
  const spring = await dueBetween(at, ['2026-03-27T00:00:00Z', '2026-03-31T00:00:00Z'], 4);
  expect(spring.map((one) => one.at)).toEqual(['2026-03-27T13:00:00.000Z', '2026-03-30T12:00:00.000Z']);
  const autumn = await dueBetween(at, ['2026-10-23T00:00:00Z', '2026-10-27T00:00:00Z'], 4);
  expect(autumn.map((one) => one.at)).toEqual(['2026-10-23T12:00:00.000Z', '2026-10-26T13:00:00.000Z']);
});

test('a time that clocks skip is refused, and one that they show twice is one occurrence', async () => {
  const night = { ...BERLIN, times: ['02:30'] };
  await expect(confirmedSchedule(payrun, tina, FIXED_AMOUNT, { ...night, buy: 'EUR' })).rejects.toThrow('time_in_gap');
  // On that Sunday it is half past one in New York twice.
  const open = { time_zone: 'America/New_York', times: ['01:30'], on: { every: 'day' }, sell: 'GBP', buy: 'CAD' };
  const due = await dueBetween(open, ['2026-11-01T00:00:00Z', '2026-11-01T12:00:00Z'], 2);
  expect(due).toEqual([{ localDate: '2026-11-01', at: '2026-11-01T05:30:00.000Z', movedFrom: [] }]);
});

test('the last of a month that is a Saturday is the Friday before', async () => {
  const last = { ...BERLIN, times: ['09:00'], on: { days_of_month: ['last'] }, convention: 'modified_following' };
  const due = await dueBetween(last, ['2026-10-29T00:00:00Z', '2026-11-04T00:00:00Z'], 6);
  expect(due).toMatchObject([{ localDate: '2026-10-30', movedFrom: ['2026-10-31'] }]);
  const february = await dueBetween(last, ['2026-02-26T00:00:00Z', '2026-03-03T00:00:00Z'], 5);
  expect(february).toMatchObject([{ localDate: '2026-02-27', movedFrom: ['2026-02-28'] }]);
});

test('a holiday of one of the currencies alone is none of the schedule', async () => {
  const daily = { ...BERLIN, times: ['09:00'] };
  // Columbus Day: the Federal Reserve Banks are closed, TARGET is open.
  const october = await dueBetween(daily, ['2026-10-09T00:00:00Z', '2026-10-14T00:00:00Z'], 5);
  expect(datesOf(october)).toEqual(['2026-10-09', '2026-10-13']);
  // The first of May: TARGET is closed, the Federal Reserve Banks are open.
  const may = await dueBetween(daily, ['2026-04-30T00:00:00Z', '2026-05-05T00:00:00Z'], 5);
  expect(datesOf(may)).toEqual(['2026-04-30', '2026-05-04']);
});
