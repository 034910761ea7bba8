import { z } from 'zod';
import { isCalendarDate } from '../../domain/calendar-date.ts';

/** Days of birth, days on identifications: the contract shows them in two forms. Contract: account 2.4, 2.5. */
export type DayForm = 'DD-MM-YYYY' | 'YYYY-MM-DD';

/** A day: the text as it came, and as YYYY-MM-DD, or null when the text is no day in either form. */
export interface CalendarDay {
  raw: string;
  isoDay: string | null;
}

/** Reads either form; which one it is shows in its shape. */
export function readCalendarDay(raw: string): CalendarDay {
  const iso = raw.trim().replace(/^(\d{2})-(\d{2})-(\d{4})$/, '$3-$2-$1');
  return { raw, isoDay: isCalendarDate(iso) ? iso : null };
}

export const optionalCalendarDay = z
  .string()
  .nullish()
  .transform((text) => (text === undefined || text === null || text === '' ? null : readCalendarDay(text)));

/** Given as YYYY-MM-DD, sent in the form that the provider wants. */
export function sentCalendarDay(form: DayForm) {
  return z
    .string('give a day, as 1990-12-31')
    .refine(isCalendarDate, 'give a day that exists, as 1990-12-31')
    .transform((day) => (form === 'YYYY-MM-DD' ? day : day.split('-').reverse().join('-')));
}
