import { nationalHolidays } from '../../config/treasury/national-holidays.ts';
import { NO_OVERRIDES } from '../../domain/treasury/calendar-overrides.ts';

/** The calendars as an installation without a file of its own has them. */
export const TEST_CALENDARS = { overrides: NO_OVERRIDES, holidaysOf: nationalHolidays };
