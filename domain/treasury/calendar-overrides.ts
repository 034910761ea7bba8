import { z } from 'zod';
import { isCalendarDate } from '../calendar-date.ts';
import { CURRENCY_CODE } from '../payment-file/payment-codes.ts';

/**
 * A company's own corrections of the calendars, from a file with a version: days that banks announce late, and countries
 * whose holidays are not those that count. Its keys are those of the file.
 */

const date = z.string('give a date in quotes, as "2026-11-23"').refine(isCalendarDate, 'give a date, as "2026-11-23"');

export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

const correction = z
  .strictObject({
    /** ISO 3166, with a part of the country where holidays differ: `GB-ENG`. `none`: only the days in `closed`. */
    country: z
      .string()
      .regex(/^([A-Z]{2}(-[A-Z0-9]{1,3})?|none)$/, 'give a country, as "SG", a part of it, as "GB-ENG", or "none"')
      .optional(),
    /** Days of the week without banking business. */
    weekend: z
      .array(z.enum(WEEKDAYS, `give one of: ${WEEKDAYS.join(', ')}`))
      .max(6, 'leave a day for business')
      .optional(),
    closed: z.array(date).optional(),
    /** Business days in spite of a holiday or a weekend. */
    open: z.array(date).optional(),
  })
  .refine(
    ({ closed, open }) => !(closed ?? []).some((day) => open?.includes(day)),
    'a date is both open and closed: leave it in one of the lists',
  );

export const calendarOverridesSchema = z.strictObject({
  /** Raise it with each change: it is recorded with every occurrence. */
  version: z.int().min(1),
  currencies: z.record(z.string().regex(CURRENCY_CODE, 'give a currency code, as "EUR"'), correction),
});

export type CalendarOverrides = z.infer<typeof calendarOverridesSchema>;

export const NO_OVERRIDES: CalendarOverrides = { version: 1, currencies: {} };
