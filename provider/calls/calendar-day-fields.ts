import { z } from 'zod';
import { isCalendarDate } from '../../domain/calendar-date.ts';

/** The two formats of calendar days in the contract. Contract: account 2.4, 2.5. */
export type DayFormat = 'DD-MM-YYYY' | 'YYYY-MM-DD';

/** A day: the original text, and as YYYY-MM-DD, or null if the text is not a day in either format. */
export interface CalendarDay {
  raw: string;
  isoDay: string | null;
}

/** Reads either format. */
export function readCalendarDay(raw: string): CalendarDay {
  const iso = raw.trim().replace(/^(\d{2})-(\d{2})-(\d{4})$/, '$3-$2-$1');
  return { raw, isoDay: isCalendarDate(iso) ? iso : null };
}

export const optionalCalendarDay = z
  .string()
  .nullish()
  .transform((text) => (text === undefined || text === null || text === '' ? null : readCalendarDay(text)));

/** Given as YYYY-MM-DD, sent in the provider's format. */
export function calendarDay(format: DayFormat) {
  return z
    .string('give a day, as 1990-12-31')
    .refine(isCalendarDate, 'give a day that exists, as 1990-12-31')
    .transform((day) => (format === 'YYYY-MM-DD' ? day : day.split('-').reverse().join('-')));
}
