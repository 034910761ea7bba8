import { weekdayOf } from '../calendar-date.ts';
import { type CalendarOverrides, WEEKDAYS } from './calendar-overrides.ts';
import { federalReserveClosingDays, targetClosingDays } from './settlement-days.ts';

/**
 * The public and bank holidays of a country (ISO 3166, or a part of one: `GB-ENG`) in a year, YYYY-MM-DD; null: they are not
 * known. They come from outside: the lists change with the version of their package, so no workflow may compute with them.
 */
export type HolidaysOf = (country: string, year: number) => ReadonlySet<string> | null;

/** Whether banks do business in all currencies concerned. `date`: YYYY-MM-DD, local. */
export type IsBusinessDay = (date: string) => boolean;

/** Where the payment system has closing days of its own. */
const OWN_RULES: Readonly<Record<string, (year: number) => string[]>> = {
  EUR: targetClosingDays,
  USD: federalReserveClosingDays,
};

/** The financial centre, where the holidays of a country are not the same everywhere. */
const CENTRES: Readonly<Record<string, string>> = {
  AUD: 'AU-NSW',
  CAD: 'CA-ON',
  CHF: 'CH-ZH',
  GBP: 'GB-ENG',
  MYR: 'MY-14',
  NZD: 'NZ-WGN',
};

/** Currencies that are not those of one country: the first two letters of their codes name none. */
const OF_NO_COUNTRY = /^(X..|ANG|BOV|CHE|CHW|MXV|USN)$/;

const SATURDAY_SUNDAY = [6, 0];
const FRIDAY_SATURDAY = [5, 6];
const FRIDAY_SATURDAY_CURRENCIES = 'BDT BHD DZD EGP ILS IQD JOD KWD LYD MVR OMR QAR SAR SDG SYP YER'.split(' ');

/** The country whose holidays count for a currency, or `none`; null: it is not known, and the overrides have to name it. */
export function countryOfCurrency(currency: string, overrides: CalendarOverrides): string | null {
  const own = overrides.currencies[currency]?.country;
  if (own !== undefined) return own;
  if (OF_NO_COUNTRY.test(currency)) return null;
  return CENTRES[currency] ?? currency.slice(0, 2);
}

/** The currencies for which it is not known when banks are closed. */
export function currenciesWithoutCalendar(
  currencies: readonly string[],
  { overrides, holidaysOf, year }: { overrides: CalendarOverrides; holidaysOf: HolidaysOf; year: number },
): string[] {
  return currencies.filter((currency) => closingDays(currency, year, overrides, holidaysOf) === null);
}

/**
 * Business days of several currencies: those of all of them.
 * @throws RangeError for a currency without a calendar; a schedule with one is refused when it is defined
 */
export function businessDays(
  currencies: readonly string[],
  { overrides, holidaysOf }: { overrides: CalendarOverrides; holidaysOf: HolidaysOf },
): IsBusinessDay {
  const known = new Map<string, ReadonlySet<string>>();
  const closedIn = (currency: string, year: number): ReadonlySet<string> => {
    const key = `${currency} ${year}`;
    const days = known.get(key) ?? closingDays(currency, year, overrides, holidaysOf);
    if (days === null)
      throw new RangeError(
        `there is no calendar for ${currency}: name a country, or its closed days, in the calendar file`,
      );
    known.set(key, days);
    return days;
  };
  return (date) =>
    currencies.every((currency) => {
      const own = overrides.currencies[currency];
      if (own?.open?.includes(date) === true) return true;
      if (own?.closed?.includes(date) === true) return false;
      return !isWeekend(currency, date, overrides) && !closedIn(currency, Number(date.slice(0, 4))).has(date);
    });
}

/** Whether banks do business in a currency on a day; null: it is not known. */
export function isOpenIn(
  currency: string,
  date: string,
  calendars: { overrides: CalendarOverrides; holidaysOf: HolidaysOf },
): boolean | null {
  const year = Number(date.slice(0, 4));
  if (currenciesWithoutCalendar([currency], { ...calendars, year }).length > 0) return null;
  return businessDays([currency], calendars)(date);
}

function closingDays(
  currency: string,
  year: number,
  overrides: CalendarOverrides,
  holidaysOf: HolidaysOf,
): ReadonlySet<string> | null {
  const rule = OWN_RULES[currency];
  if (rule !== undefined && overrides.currencies[currency]?.country === undefined) return new Set(rule(year));
  const country = countryOfCurrency(currency, overrides);
  if (country === 'none') return new Set();
  return country === null ? null : holidaysOf(country, year);
}

function isWeekend(currency: string, date: string, overrides: CalendarOverrides): boolean {
  const own = overrides.currencies[currency]?.weekend;
  const weekday = weekdayOf(date);
  if (own !== undefined) return own.some((name) => WEEKDAYS.indexOf(name) === weekday);
  return (FRIDAY_SATURDAY_CURRENCIES.includes(currency) ? FRIDAY_SATURDAY : SATURDAY_SUNDAY).includes(weekday);
}
