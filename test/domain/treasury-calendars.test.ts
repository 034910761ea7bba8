import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, daysBetween, isCalendarDate, weekdayOf } from '../../domain/calendar-date.ts';
import { adjusted, CONVENTIONS, daysAround } from '../../domain/treasury/business-day.ts';
import { calendarOverridesSchema, NO_OVERRIDES } from '../../domain/treasury/calendar-overrides.ts';
import { businessDays, currenciesWithoutCalendar, type HolidaysOf } from '../../domain/treasury/currency-calendar.ts';
import { dateWithoutTime, instantsOf, isTimeZone, localTimeOf } from '../../domain/treasury/local-time.ts';
import { easterSunday, federalReserveClosingDays, targetClosingDays } from '../../domain/treasury/settlement-days.ts';

/** Only what a test names. */
const holidays =
  (of: Record<string, string[]>): HolidaysOf =>
  (country) =>
    of[country] === undefined ? null : new Set(of[country]);
const calendar = (currencies: string[], of: Record<string, string[]> = {}, overrides: object = {}) =>
  businessDays(currencies, {
    overrides: calendarOverridesSchema.parse({ version: 1, currencies: overrides }),
    holidaysOf: holidays(of),
  });

const anyDate = fc.integer({ min: 0, max: 20_000 }).map((day) => addDays('2000-01-01', day));

test('days are added across months, leap years and changes of clocks', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(weekdayOf('2026-11-23')).toBe(1);
  fc.assert(
    fc.property(anyDate, fc.integer({ min: -1000, max: 1000 }), (date, days) => {
      const later = addDays(date, days);
      expect(isCalendarDate(later)).toBe(true);
      expect(daysBetween(date, later)).toBe(days);
    }),
  );
});

describe('the closing days of TARGET', () => {
  test('are the six that the European Central Bank publishes', () => {
    expect(targetClosingDays(2026)).toEqual([
      ...['2026-01-01', '2026-04-03', '2026-04-06', '2026-05-01', '2026-12-25', '2026-12-26'],
    ]);
    expect(targetClosingDays(2027)).toEqual([
      ...['2027-01-01', '2027-03-26', '2027-03-29', '2027-05-01', '2027-12-25', '2027-12-26'],
    ]);
  });

  test.each([
    ...['2000-04-23', '2008-03-23', '2011-04-24', '2019-04-21', '2024-03-31', '2025-04-20', '2026-04-05', '2038-04-25'],
    ...['1818-03-22', '1943-04-25', '2049-04-18', '2076-04-19', '2100-03-28'],
  ])('follow Easter: %s', (easter) => {
    expect(easterSunday(Number(easter.slice(0, 4)))).toBe(easter);
  });

  test('count for the euro, whatever is a holiday in Germany', () => {
    const isOpen = calendar(['EUR'], { DE: ['2026-10-03', '2026-05-14'], EU: ['2026-05-14'] });
    expect(isOpen('2026-05-14')).toBe(true);
    expect(isOpen('2026-05-01')).toBe(false);
    expect(isOpen('2026-05-02')).toBe(false);
  });
});

describe('the closing days of the Federal Reserve Banks', () => {
  test('are those that they publish: Monday after a Sunday, nothing for a Saturday', () => {
    expect(federalReserveClosingDays(2026)).toEqual([
      ...['2026-01-01', '2026-01-19', '2026-02-16', '2026-05-25', '2026-06-19', '2026-07-04', '2026-09-07'],
      ...['2026-10-12', '2026-11-11', '2026-11-26', '2026-12-25'],
    ]);
    expect(federalReserveClosingDays(2027)).toEqual([
      ...['2027-01-01', '2027-01-18', '2027-02-15', '2027-05-31', '2027-06-19', '2027-07-05', '2027-09-06'],
      ...['2027-10-11', '2027-11-11', '2027-11-25', '2027-12-25'],
    ]);
    expect(calendar(['USD'])('2026-07-03')).toBe(true);
  });
});

describe('a calendar', () => {
  test('is open only when banks are for both currencies', () => {
    const isOpen = calendar(['USD', 'SGD'], { SG: ['2026-08-10'] });
    expect(isOpen('2026-08-10')).toBe(false);
    expect(isOpen('2026-08-11')).toBe(true);
    expect(isOpen('2026-11-26')).toBe(false);
  });

  test('has the weekend of the country', () => {
    const isOpen = calendar(['SAR'], { SA: [] });
    expect(['2026-11-20', '2026-11-21', '2026-11-22'].map(isOpen)).toEqual([false, false, true]);
  });

  test('takes the holidays of the financial centre', () => {
    expect(calendar(['GBP'], { 'GB-ENG': ['2026-08-31'] })('2026-08-31')).toBe(false);
  });

  test('is corrected by the file', () => {
    const file = {
      USD: { closed: ['2026-07-03'], open: ['2026-10-12', '2026-11-22'] },
      AED: { country: 'SA', weekend: ['friday'] },
    };
    const isOpen = calendar(['USD'], {}, file);
    expect(['2026-07-03', '2026-10-12', '2026-11-22', '2026-11-26'].map(isOpen)).toEqual([false, true, true, false]);
    const inAed = calendar(['AED'], { SA: ['2026-11-23'] }, file);
    expect(['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23'].map(inAed)).toEqual([false, true, true, false]);
    const kuwait = calendar(['KWD'], {}, { KWD: { country: 'none', closed: ['2026-02-25'] } });
    expect(['2026-02-24', '2026-02-25'].map(kuwait)).toEqual([true, false]);
    // A country in the file takes the place of an own rule as well.
    expect(calendar(['EUR'], { DE: [] }, { EUR: { country: 'DE' } })('2026-05-01')).toBe(true);
  });

  test('that does not exist is named, and never taken as open', () => {
    const known = { overrides: NO_OVERRIDES, holidaysOf: holidays({ SG: [] }), year: 2026 };
    expect(currenciesWithoutCalendar(['EUR', 'USD', 'SGD', 'XOF', 'ZZZ'], known)).toEqual(['XOF', 'ZZZ']);
    expect(() => calendar(['XOF'])('2026-11-23')).toThrow('name a country');
  });

  test.each([
    [{ version: 0, currencies: {} }, 'version'],
    [{ version: 1, currencies: { eur: {} } }, 'currencies.eur'],
    [{ version: 1, currencies: { EUR: { closed: ['2026-02-30'] } } }, 'currencies.EUR.closed.0'],
    [{ version: 1, currencies: { EUR: { closed: ['2026-02-03'], open: ['2026-02-03'] } } }, 'currencies.EUR'],
    [{ version: 1, currencies: { EUR: { weekend: ['sat'] } } }, 'currencies.EUR.weekend.0'],
    [{ version: 1, currencies: { EUR: { country: 'Germany' } } }, 'currencies.EUR.country'],
    [{ version: 1, currencies: { EUR: { closes: [] } } }, 'currencies.EUR'],
  ])('is refused in its file with the place: %j', (file, place) => {
    expect(calendarOverridesSchema.safeParse(file).error?.issues[0]?.path.join('.')).toBe(place);
  });
});

describe('a date without business', () => {
  /** Closed: weekends, and the last and first days of a year. */
  const isOpen = calendar(['EUR'], {}, { EUR: { closed: ['2026-12-30', '2026-12-31'] } });

  test.each([
    ['2026-11-21', '2026-11-23', '2026-11-23', '2026-11-20', null],
    ['2026-05-01', '2026-05-04', '2026-05-04', '2026-04-30', null],
    // The last days of a month stay in it.
    ['2026-10-31', '2026-11-02', '2026-10-30', '2026-10-30', null],
    ['2026-12-30', '2027-01-04', '2026-12-29', '2026-12-29', null],
    ['2026-11-23', '2026-11-23', '2026-11-23', '2026-11-23', '2026-11-23'],
  ])('%s is moved to %s, %s, %s or %s', (date, ...expected) => {
    expect(CONVENTIONS.map((convention) => adjusted(date, convention, isOpen))).toEqual(expected);
  });

  test('is near a business day, or the calendar is wrong', () => {
    expect(() => adjusted('2026-11-21', 'following', () => false)).toThrow(RangeError);
  });

  test('can only be moved to a business day that it touches', () => {
    fc.assert(
      fc.property(anyDate, fc.constantFrom(...CONVENTIONS), (date, convention) => {
        const moved = adjusted(date, convention, isOpen);
        if (moved !== null) expect(daysAround(moved, isOpen)).toContain(date);
      }),
    );
  });
});

describe('local times', () => {
  const iso = (instants: number[]) => instants.map((instant) => new Date(instant).toISOString());

  test('are one instant on almost all days', () => {
    expect(iso(instantsOf('2026-07-01', '09:30', 'Europe/Berlin'))).toEqual(['2026-07-01T07:30:00.000Z']);
    expect(iso(instantsOf('2026-12-01', '09:30', 'Europe/Berlin'))).toEqual(['2026-12-01T08:30:00.000Z']);
    expect(iso(instantsOf('2026-07-01', '09:30', 'Asia/Kathmandu'))).toEqual(['2026-07-01T03:45:00.000Z']);
    expect(iso(instantsOf('2026-07-01', '00:00', 'Pacific/Kiritimati'))).toEqual(['2026-06-30T10:00:00.000Z']);
    expect(iso(instantsOf('2026-07-01', '23:59', 'UTC'))).toEqual(['2026-07-01T23:59:00.000Z']);
  });

  test('are no instant where clocks are put forward', () => {
    expect(instantsOf('2026-03-29', '02:30', 'Europe/Berlin')).toEqual([]);
    expect(instantsOf('2026-03-29', '03:00', 'Europe/Berlin')).toHaveLength(1);
    expect(instantsOf('2026-03-08', '02:00', 'America/New_York')).toEqual([]);
    // By half an hour.
    expect(instantsOf('2026-10-04', '02:15', 'Australia/Lord_Howe')).toEqual([]);
  });

  test('are two instants where clocks are put back', () => {
    expect(iso(instantsOf('2026-10-25', '02:30', 'Europe/Berlin'))).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:30:00.000Z',
    ]);
    expect(instantsOf('2026-11-01', '01:30', 'America/New_York')).toHaveLength(2);
    expect(instantsOf('2026-11-01', '02:00', 'America/New_York')).toHaveLength(1);
  });

  test('and the instants of a zone are the same thing read both ways', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Asia/Singapore'];
    const start = Date.UTC(2026, 0, 1);
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.nat(3 * 525_600), (zone, minutes) => {
        const instant = start + minutes * 60_000;
        const { date, time } = localTimeOf(instant, zone);
        expect(instantsOf(date, time, zone)).toContain(instant);
      }),
      { numRuns: 1_000 },
    );
  });

  test('that some day does not have are found ahead', () => {
    const from = { from: '2026-11-23', days: 400 };
    expect(dateWithoutTime('02:30', 'Europe/Berlin', from)).toBe('2027-03-28');
    expect(dateWithoutTime('03:00', 'Europe/Berlin', from)).toBeNull();
    expect(dateWithoutTime('02:30', 'Asia/Singapore', from)).toBeNull();
  });

  test.each([
    ['Europe/Berlin', true],
    ['UTC', true],
    ['America/Argentina/Buenos_Aires', true],
    ['Europe/Atlantis', false],
    ['+01:00', false],
    ['CET', false],
    ['', false],
  ])('need a zone by its name: %s', (zone, isOne) => {
    expect(isTimeZone(zone)).toBe(isOne);
  });
});
