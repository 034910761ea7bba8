import {
  type CalendarOverrides,
  calendarOverridesSchema,
  NO_OVERRIDES,
} from '../../domain/treasury/calendar-overrides.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { readYamlFile } from '../yaml-file.ts';

/**
 * A company's own corrections of the calendars, from a YAML file. Null: there are none.
 * @throws ConfigurationError with all that is wrong
 */
export function readCalendarOverrides(path: string | null): CalendarOverrides {
  if (path === null) return NO_OVERRIDES;
  const { content, lineOf } = readYamlFile(path, { variable: 'PAYRUN_CALENDARS', what: 'the calendars' });
  const read = calendarOverridesSchema.safeParse(content);
  if (read.success) return read.data;
  const problems = read.error.issues
    .map((issue) => ({ line: lineOf(issue.path), problem: `${issue.path.map(String).join('.')}: ${issue.message}` }))
    .sort((one, other) => one.line - other.line)
    .map(({ line, problem }) => `  line ${line}: ${problem}`);
  throw new ConfigurationError(`the calendars in ${path} are wrong:\n${problems.join('\n')}`);
}
