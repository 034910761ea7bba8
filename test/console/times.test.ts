import { afterAll, describe, expect, test } from 'vitest';
import { dayAt, formatInstant, formatMoment, showTimesIn } from '../../console/elements/times.ts';

const AT = '2026-11-28T23:30:00Z';

afterAll(() => showTimesIn('UTC'));

describe('times are those of the installation', () => {
  test.each([
    ['UTC', '2026-11-28', '11:30 PM', 'Nov 28, 11:30 PM'],
    ['Europe/Berlin', '2026-11-29', '12:30 AM', 'Nov 29, 12:30 AM'],
    ['Asia/Kathmandu', '2026-11-29', '05:15 AM', 'Nov 29, 05:15 AM'],
    ['America/New_York', '2026-11-28', '06:30 PM', 'Nov 28, 06:30 PM'],
  ])('in %s', (zone, day, time, moment) => {
    showTimesIn(zone);
    expect(dayAt(Date.parse(AT))).toBe(day);
    expect(formatInstant(AT, Date.parse(AT))).toBe(time);
    expect(formatMoment(Date.parse(AT))).toBe(moment);
  });
});

describe('a time is shown with its day', () => {
  test.each([
    ['at 00:10', '2026-11-28T23:10:00Z', '12:30 AM'],
    ['of this year', '2026-12-04T12:00:00Z', 'Nov 29, 12:30 AM'],
    ['of another year', '2027-01-01T12:00:00Z', 'Nov 29, 2026, 12:30 AM'],
  ])('unless it is today: %s', (_what, now, shown) => {
    showTimesIn('Europe/Berlin');
    expect(formatInstant(AT, Date.parse(now))).toBe(shown);
  });
});
