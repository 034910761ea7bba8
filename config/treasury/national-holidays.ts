import Holidays from 'date-holidays';
import { addDays } from '../../domain/calendar-date.ts';
import { localTimeOf } from '../../domain/treasury/local-time.ts';
import type { HolidaysOf } from '../../domain/treasury/currency-calendar.ts';

/** When banks begin their day: a holiday that begins later, as the eve of another one, leaves a business day. */
const BANKS_OPEN = '09:00';

/** A country and year is computed once, as it takes up to a second. */
const known = new Map<string, ReadonlySet<string> | null>();

/**
 * The public and bank holidays of `date-holidays`. Some depend on the sight of the moon or are moved by a decree, so a team
 * corrects them in its calendar file.
 */
export const nationalHolidays: HolidaysOf = (country, year) => {
  const key = `${country} ${year}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const days = holidaysIn(country, year);
  known.set(key, days);
  return days;
};

function holidaysIn(place: string, year: number): ReadonlySet<string> | null {
  const [country = '', part] = place.split('-');
  const countries: object = new Holidays().getCountries();
  if (!Object.hasOwn(countries, country)) return null;
  // It takes an unknown part of a country for the country, without a word.
  if (part !== undefined && !Object.hasOwn(statesOf(country), part)) return null;
  const calendar = part === undefined ? new Holidays(country) : new Holidays(country, part);
  const [zone = 'UTC'] = calendar.getTimezones();
  // Neighbouring years too: a holiday of several days may begin in the year before.
  const holidays = [year - 1, year].flatMap((of) => calendar.getHolidays(of));
  const days = holidays
    .filter(({ type }) => type === 'public' || type === 'bank')
    .flatMap(({ start, end }) => daysWithin(start.getTime(), end.getTime(), zone));
  return new Set(days.filter((day) => day.startsWith(`${year}-`)));
}

function statesOf(country: string): object {
  const states: unknown = new Holidays().getStates(country);
  return typeof states === 'object' && states !== null ? states : {};
}

/** The local days on which banks would not open. */
function daysWithin(startMs: number, endMs: number, zone: string): string[] {
  const start = localTimeOf(startMs, zone);
  const end = localTimeOf(endMs, zone);
  const first = start.time > BANKS_OPEN ? addDays(start.date, 1) : start.date;
  const days: string[] = [];
  for (let day = first; day < end.date || (day === end.date && end.time > BANKS_OPEN); day = addDays(day, 1)) {
    days.push(day);
  }
  return days;
}
