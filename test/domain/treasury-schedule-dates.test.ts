import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, weekdayOf } from '../../domain/calendar-date.ts';
import { adjusted, CONVENTIONS } from '../../domain/treasury/business-day.ts';
import { NO_OVERRIDES } from '../../domain/treasury/calendar-overrides.ts';
import { occurrenceId } from '../../domain/treasury/conversion-identity.ts';
import { businessDays } from '../../domain/treasury/currency-calendar.ts';
import type { ScheduleTiming } from '../../domain/treasury/schedule.ts';
import {
  CATCH_UP_WINDOW_MS,
  dueOn,
  isMissed,
  nextOccurrences,
  startedOccurrence,
} from '../../domain/treasury/schedule-dates.ts';
import { type OccurrenceEnd, pauseReason } from '../../domain/treasury/occurrence-end.ts';

const isOpen = businessDays(['EUR', 'USD'], { overrides: NO_OVERRIDES, holidaysOf: () => null });

const timing = (differences: Partial<ScheduleTiming> = {}): ScheduleTiming => ({
  time_zone: 'Europe/Berlin',
  times: ['14:00'],
  on: { every: 'day' },
  convention: 'following',
  from: '2026-01-01',
  until: null,
  ...differences,
});

const datesFrom = (first: string, days: number) => Array.from({ length: days }, (_, day) => addDays(first, day));
const dueDates = (schedule: ScheduleTiming, first: string, days: number) =>
  datesFrom(first, days).filter((date) => dueOn(date, schedule, isOpen).length > 0);

describe('a schedule is due', () => {
  test.each([
    ['skip', ['2026-12-18', '2026-12-21', '2026-12-22', '2026-12-23', '2026-12-24', '2026-12-28', '2026-12-29']],
    ['following', ['2026-12-18', '2026-12-21', '2026-12-22', '2026-12-23', '2026-12-24', '2026-12-28', '2026-12-29']],
  ] as const)('every day with %s, once where several dates meet', (convention, expected) => {
    expect(dueDates(timing({ convention }), '2026-12-18', 12)).toEqual(expected);
  });

  test('on the day to which its date is moved, and names the date', () => {
    const monthly = timing({ on: { days_of_month: [1] } });
    expect(dueDates(monthly, '2026-04-20', 20)).toEqual(['2026-05-04']);
    expect(dueOn('2026-05-04', monthly, isOpen)).toEqual(['2026-05-01']);
    expect(dueDates({ ...monthly, convention: 'preceding' }, '2026-04-20', 20)).toEqual(['2026-04-30']);
    expect(dueDates({ ...monthly, convention: 'skip' }, '2026-04-20', 20)).toEqual([]);
  });

  test('on the last day of each month, also in February', () => {
    const last = timing({ on: { days_of_month: ['last'] }, convention: 'modified_following' });
    expect(dueDates(last, '2028-01-15', 90)).toEqual(['2028-01-31', '2028-02-29', '2028-03-31']);
    expect(dueDates(last, '2026-01-15', 120)).toEqual(['2026-01-30', '2026-02-27', '2026-03-31', '2026-04-30']);
  });

  test('on its weekdays', () => {
    const mondays = timing({ on: { weekdays: ['monday'] } });
    const due = dueDates(mondays, '2026-03-23', 21);
    // Easter Monday, the 6th, is moved.
    expect(due).toEqual(['2026-03-23', '2026-03-30', '2026-04-07']);
  });

  test('between its first and last date by the rule, and where they are moved to', () => {
    const bounded = timing({ from: '2026-11-21', until: '2026-11-22' });
    expect(dueDates(bounded, '2026-11-01', 60)).toEqual(['2026-11-23']);
    expect(dueDates({ ...bounded, convention: 'preceding' }, '2026-11-01', 60)).toEqual(['2026-11-20']);
  });

  test('exactly where its dates, moved one by one, fall', () => {
    const rules = fc.oneof(
      fc.constant({ every: 'day' as const }),
      fc.constantFrom('monday', 'friday', 'saturday').map((day) => ({ weekdays: [day as 'monday'] })),
      fc.constantFrom(1, 15, 26, 'last' as const).map((day) => ({ days_of_month: [day] })),
    );
    const closures = fc.uniqueArray(fc.nat(365), { maxLength: 60 });
    fc.assert(
      fc.property(rules, fc.constantFrom(...CONVENTIONS), closures, (on, convention, closed) => {
        const closedDates = new Set(closed.map((day) => addDays('2026-01-01', day)));
        const isBusinessDay = (date: string) => ![0, 6].includes(weekdayOf(date)) && !closedDates.has(date);
        const schedule = timing({ on, convention, from: '2026-02-01', until: '2026-10-31' });
        const byRule = datesFrom('2026-02-01', 273).filter((date) => {
          if ('every' in on) return true;
          if ('weekdays' in on)
            return { monday: 1, friday: 5, saturday: 6 }[on.weekdays[0] as 'monday'] === weekdayOf(date);
          const [day] = on.days_of_month;
          return day === 'last' ? addDays(date, 1).endsWith('-01') : Number(date.slice(8)) === day;
        });
        const expected = new Set(byRule.map((date) => adjusted(date, convention, isBusinessDay)));
        expected.delete(null);
        const due = datesFrom('2026-01-01', 365).filter((date) => dueOn(date, schedule, isBusinessDay).length > 0);
        expect(due).toEqual([...expected].sort());
      }),
      { numRuns: 20 },
    );
  });
});

describe('the next occurrences', () => {
  const next = (schedule: ScheduleTiming, after: string, count = 10) =>
    nextOccurrences({ scheduleId: 's', timing: schedule }, { afterMs: Date.parse(after), count }, isOpen);

  test('are ten, on business days, in the local time of the zone', () => {
    const found = next(timing({ on: { weekdays: ['friday'] } }), '2026-10-10T00:00:00Z');
    expect(found.map(({ at }) => at)).toEqual([
      ...[
        '2026-10-16T12:00:00.000Z',
        '2026-10-23T12:00:00.000Z',
        '2026-10-30T13:00:00.000Z',
        '2026-11-06T13:00:00.000Z',
      ],
      ...[
        '2026-11-13T13:00:00.000Z',
        '2026-11-20T13:00:00.000Z',
        '2026-11-27T13:00:00.000Z',
        '2026-12-04T13:00:00.000Z',
      ],
      ...['2026-12-11T13:00:00.000Z', '2026-12-18T13:00:00.000Z'],
    ]);
  });

  test('begin after the time given, with the other slots of that day', () => {
    const twice = timing({ times: ['09:00', '14:00'] });
    const found = next(twice, '2026-11-23T08:00:00Z', 3);
    expect(found.map(({ localDate, slot }) => [localDate, slot])).toEqual([
      ['2026-11-23', 2],
      ['2026-11-24', 1],
      ['2026-11-24', 2],
    ]);
    expect(next(twice, '2026-11-23T07:59:59Z', 1)[0]).toMatchObject({ localDate: '2026-11-23', slot: 1 });
  });

  test('say which dates were moved', () => {
    const monthly = timing({ on: { days_of_month: [1] } });
    expect(next(monthly, '2026-04-10T00:00:00Z', 2).map(({ localDate, movedFrom }) => [localDate, movedFrom])).toEqual([
      ['2026-05-04', ['2026-05-01']],
      ['2026-06-01', []],
    ]);
  });

  test('begin before the first date by the rule, if that is moved back', () => {
    const found = next(timing({ from: '2027-01-01', convention: 'preceding' }), '2026-11-23T00:00:00Z', 2);
    expect(found.map(({ localDate }) => localDate)).toEqual(['2026-12-31', '2027-01-04']);
  });

  test('end with the schedule', () => {
    expect(next(timing({ until: '2026-11-24' }), '2026-11-23T00:00:00Z')).toHaveLength(2);
    expect(next(timing({ until: '2026-11-20' }), '2026-11-23T00:00:00Z')).toEqual([]);
  });

  test('are what a start of the schedule at that time is', () => {
    const scheduleId = 's';
    fc.assert(
      fc.property(fc.nat(1_000), fc.constantFrom('00:00', '09:00', '23:59'), (days, time) => {
        const schedule = timing({ times: [time], time_zone: 'America/New_York' });
        const after = `${addDays('2026-01-01', days)}T00:00:00Z`;
        for (const { at, occurrenceId: id, localDate, slot } of next(schedule, after, 2)) {
          const started = startedOccurrence({ scheduleId, timing: schedule }, Date.parse(at));
          expect(started).toEqual({ occurrenceId: id, localDate, slot });
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('an occurrence', () => {
  const berlin = timing({ times: ['02:30', '14:00'] });
  const started = (at: string, schedule = berlin) =>
    startedOccurrence({ scheduleId: 's', timing: schedule }, Date.parse(at));

  test('that fires twice, as its hour is repeated, is one', () => {
    const [first, second] = [started('2026-10-25T00:30:00Z'), started('2026-10-25T01:30:00Z')];
    expect(first).not.toBeNull();
    expect(second).toEqual(first);
  });

  test('has its local date, not that of UTC', () => {
    const newYork = timing({ time_zone: 'America/New_York', times: ['20:00'] });
    expect(started('2026-11-24T01:00:00Z', newYork)).toEqual({
      occurrenceId: occurrenceId('s', '2026-11-23', 1),
      localDate: '2026-11-23',
      slot: 1,
    });
  });

  test('is the same after its time was changed', () => {
    const changed = timing({ times: ['14:05'] });
    const before = timing({ times: ['14:00'] });
    expect(started('2026-11-23T13:05:00Z', changed)).toEqual(started('2026-11-23T13:00:00Z', before));
  });

  test('is none at another time', () => {
    expect(started('2026-11-23T13:01:00Z')).toBeNull();
  });

  test('is missed when it starts more than ten minutes after its time', () => {
    expect(CATCH_UP_WINDOW_MS).toBe(600_000);
    expect(isMissed(1_000, 601_000)).toBe(false);
    expect(isMissed(1_000, 601_001)).toBe(true);
    expect(isMissed(1_000, 0)).toBe(false);
  });
});

describe('a schedule is paused', () => {
  test.each<[OccurrenceEnd[], boolean]>([
    [[], false],
    [['done', 'unknown'], false],
    [['unknown'], true],
    [['defect'], true],
    [['refused_by_guard', 'refused_by_guard'], false],
    [['refused_by_guard', 'refused_by_guard', 'refused_by_guard'], true],
    [['refused_by_guard', 'refused_by_guard', 'done', 'refused_by_guard'], false],
    [['refused_by_guard', 'missed', 'refused_by_guard', 'nothing_to_do', 'refused_by_guard'], true],
    [['nothing_to_do', 'refused_by_guard', 'refused_by_guard', 'refused_by_guard'], false],
    [['missed', 'missed', 'missed'], false],
  ])('after %j: %s', (ends, isPaused) => {
    expect(pauseReason(ends) !== null).toBe(isPaused);
  });
});
