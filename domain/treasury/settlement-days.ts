import { addDays, weekdayOf } from '../calendar-date.ts';

/** Closing days of payment systems that are not the public holidays of a country. Dates are YYYY-MM-DD. */

/** By the Gregorian calendar (Meeus, Jones and Butcher). */
export function easterSunday(year: number): string {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const shift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - shift + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const correction = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const days = epact + weekday - 7 * correction + 114;
  return dateOf(year, Math.floor(days / 31), (days % 31) + 1);
}

/** The euro is settled in TARGET, which closes on these six days besides weekends, whatever is a holiday in a country. */
export function targetClosingDays(year: number): string[] {
  const easter = easterSunday(year);
  return [
    dateOf(year, 1, 1),
    addDays(easter, -2),
    addDays(easter, 1),
    dateOf(year, 5, 1),
    dateOf(year, 12, 25),
    dateOf(year, 12, 26),
  ];
}

/**
 * The dollar is settled by the Federal Reserve Banks: a holiday on a Sunday closes them on the Monday, and one on a Saturday
 * does not close them on the Friday, when offices of the government are closed.
 */
export function federalReserveClosingDays(year: number): string[] {
  const fixed = [
    dateOf(year, 1, 1),
    dateOf(year, 6, 19),
    dateOf(year, 7, 4),
    dateOf(year, 11, 11),
    dateOf(year, 12, 25),
  ];
  return [
    ...fixed.map((date) => (weekdayOf(date) === 0 ? addDays(date, 1) : date)),
    nthMonday(year, 1, 3),
    nthMonday(year, 2, 3),
    addDays(nthWeekday(year, 6, 1, 1), -7),
    nthMonday(year, 9, 1),
    nthMonday(year, 10, 2),
    nthWeekday(year, 11, 4, 4),
  ].sort();
}

function nthMonday(year: number, month: number, nth: number): string {
  return nthWeekday(year, month, 1, nth);
}

function nthWeekday(year: number, month: number, weekday: number, nth: number): string {
  const first = dateOf(year, month, 1);
  return addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + 7 * (nth - 1));
}

function dateOf(year: number, month: number, day: number): string {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
