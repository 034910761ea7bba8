import { canonicalJson } from '../../domain/canonical-json.ts';
import type { Schedule } from '../../domain/treasury/schedule.ts';
import { readSchedule } from '../../domain/treasury/schedule-form.ts';
import { type ScheduleProblem, scheduleProblems, scheduleWarnings } from '../../domain/treasury/schedule-problems.ts';
import { localTimeOf } from '../../domain/treasury/local-time.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { knownReferenceData } from '../payment-file/known-reference-data.ts';

/** A schedule in order, as it is stored and confirmed: canonical JSON. */
export interface CheckedSchedule {
  schedule: Schedule;
  definition: string;
  warnings: string[];
}

/** All problems at once: of its form, or, if that is right, of what it names. */
export async function checkSchedule(
  dependencies: ApplicationDependencies,
  content: unknown,
): Promise<CheckedSchedule | { problems: ScheduleProblem[] }> {
  const read = readSchedule(content);
  if ('problems' in read) return read;
  const { schedule } = read;
  const { accounts, calendars, now } = dependencies;
  if (!accounts.some(({ name }) => name === schedule.account)) return { problems: [unknownAccount(dependencies)] };
  const { currencies, pairs } = await knownReferenceData(dependencies, schedule.account, []);
  const today = localTimeOf(now(), schedule.time_zone).date;
  const problems = scheduleProblems(schedule, { currencies, pairs, ...calendars, today });
  if (problems.length > 0) return { problems };
  return { schedule, definition: canonicalJson(schedule), warnings: scheduleWarnings(schedule, { currencies }) };
}

function unknownAccount({ accounts }: ApplicationDependencies): ScheduleProblem {
  return {
    code: 'unknown_account',
    field: 'account',
    problem: 'no such account with the provider is configured',
    fix: `give one of: ${accounts.map(({ name }) => name).join(', ')}`,
  };
}
