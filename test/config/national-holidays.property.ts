import Holidays from 'date-holidays';
import { describe, expect, test } from 'vitest';
import { nationalHolidays } from '../../config/treasury/national-holidays.ts';
import { addDays } from '../../domain/calendar-date.ts';
import { NO_OVERRIDES } from '../../domain/treasury/calendar-overrides.ts';
import { businessDays, currenciesWithoutCalendar } from '../../domain/treasury/currency-calendar.ts';
import { easterSunday } from '../../domain/treasury/settlement-days.ts';
import { currencies } from '../../sandbox/market/currencies.ts';

const weekdaysIn = (country: string, year: number) =>
  [...(nationalHolidays(country, year) ?? [])]
    .filter((date) => ![0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay()))
    .sort();

describe('the holidays of a country', () => {
  test('are those that England’s government publishes, with substitute days', () => {
    expect(weekdaysIn('GB-ENG', 2026)).toEqual([
      ...[
        '2026-01-01',
        '2026-04-03',
        '2026-04-06',
        '2026-05-04',
        '2026-05-25',
        '2026-08-31',
        '2026-12-25',
        '2026-12-28',
      ],
    ]);
  });

  test('are those that Japan publishes, with the bank holidays round the new year', () => {
    expect(weekdaysIn('JP', 2026)).toEqual([
      ...[
        '2026-01-01',
        '2026-01-02',
        '2026-01-12',
        '2026-02-11',
        '2026-02-23',
        '2026-03-20',
        '2026-04-29',
        '2026-05-04',
      ],
      ...[
        '2026-05-05',
        '2026-05-06',
        '2026-07-20',
        '2026-08-11',
        '2026-09-21',
        '2026-09-22',
        '2026-09-23',
        '2026-10-12',
      ],
      ...['2026-11-03', '2026-11-23', '2026-12-31'],
    ]);
  });

  test('have every day of a feast of several days that begins in the evening', () => {
    const feast = ['2026-03-19', '2026-03-20', '2026-03-21', '2026-03-22'];
    const found = nationalHolidays('SA', 2026)!;
    expect(feast.filter((date) => found.has(date))).toEqual(feast);
    expect(found.has('2026-03-18') || found.has('2026-03-23')).toBe(false);
  });

  test('leave a day that is only free from noon', () => {
    expect(nationalHolidays('CN', 2026)!.has('2026-05-04')).toBe(false);
    expect(nationalHolidays('CN', 2026)!.has('2026-10-02')).toBe(true);
  });

  test('are not known for a country, or a part of one, that does not exist', () => {
    expect(nationalHolidays('XX', 2026)).toBeNull();
    expect(nationalHolidays('GB-QQ', 2026)).toBeNull();
  });

  test('have only days of their year', () => {
    for (const date of nationalHolidays('GB', 2027)!) expect(date).toMatch(/^2027-/);
  });
});

test('Easter, by our rule, is that of date-holidays in 100 years', () => {
  const england = new Holidays('GB', 'ENG');
  for (let year = 2000; year < 2100; year++) {
    const goodFriday = england.getHolidays(year).find(({ name }) => name === 'Good Friday');
    expect(goodFriday?.date.slice(0, 10)).toBe(addDays(easterSunday(year), -2));
  }
});

test('every currency of the sandbox but one has a calendar, with a usual number of business days', () => {
  const sources = { overrides: NO_OVERRIDES, holidaysOf: nationalHolidays };
  const codes = [...currencies.keys()];
  // date-holidays has no Kuwait: a schedule with dinars is refused until the calendar file has its days.
  expect(currenciesWithoutCalendar(codes, { ...sources, year: 2026 })).toEqual(['KWD']);
  for (const code of codes.filter((one) => one !== 'KWD')) {
    const isOpen = businessDays([code], sources);
    const open = Array.from({ length: 365 }, (_, day) => addDays('2026-01-01', day)).filter(isOpen);
    expect(open.length, code).toBeGreaterThan(225);
    expect(open.length, code).toBeLessThan(262);
  }
});
