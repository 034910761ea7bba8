import { z } from 'zod';
import type { SandboxOptions } from '../config/options.ts';

const leapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)';

/** Calendar days, including leap years, so that the description defines exactly what is accepted. */
const yearFirst =
  '[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)|' +
  `${leapYear}-02-29`;
const dayFirst =
  '(?:(?:0[1-9]|1[0-9]|2[0-8])-(?:0[1-9]|1[0-2])|(?:29|30)-(?:0[13-9]|1[0-2])|31-(?:0[13578]|1[02]))-[0-9]{4}|' +
  `29-02-${leapYear}`;

const calendarDay = (pattern: string, form: string): z.ZodType<string, string> =>
  z.string().regex(new RegExp(`^(?:${pattern})$`), `must be a calendar day, written ${form}`);

/** A calendar day, written `DD-MM-YYYY`. */
export const dayFirstDate = calendarDay(dayFirst, 'DD-MM-YYYY');

/** The schema of users' dates by format: the contract's formats B, A, or either. Contract: account 2.4. */
export const userDates: Readonly<Record<SandboxOptions['userDateFormat'], z.ZodType<string, string>>> = {
  'DD-MM-YYYY': dayFirstDate,
  'YYYY-MM-DD': calendarDay(yearFirst, 'YYYY-MM-DD'),
  either: calendarDay(`${dayFirst}|${yearFirst}`, 'DD-MM-YYYY or YYYY-MM-DD'),
};

const time = 'T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,9})?)?';
const zone = '(?:Z|[+-](?:[01][0-9]|2[0-3]):?[0-5][0-9])';

const bound = z
  .string()
  .regex(
    new RegExp(`^(?:${yearFirst})(?:${time}${zone}?)?$`),
    'must be an ISO 8601 UTC timestamp, e.g. 2026-01-31T00:00:00.000Z',
  )
  .nullish();

/** The bounds of finds and histories. Contract: payments 4.3. */
export const timeRangeFields = {
  startDate: bound.describe('Inclusive lower bound; UTC if it has no zone'),
  endDate: bound.describe('Exclusive upper bound; UTC if it has no zone'),
};
