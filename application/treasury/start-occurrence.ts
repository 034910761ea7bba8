import { WorkflowExecutionAlreadyStartedError, WorkflowIdReusePolicy } from '@temporalio/client';
import type { StartedOccurrence } from '../../api/treasury/schedule.ts';
import { MAIN_TASK_QUEUE, occurrenceWorkflowId } from '../../domain/identifiers.ts';
import { occurrenceId as idOfOccurrence, triggeredOccurrenceId } from '../../domain/treasury/conversion-identity.ts';
import { businessDays } from '../../domain/treasury/currency-calendar.ts';
import { instantsOf, localTimeOf } from '../../domain/treasury/local-time.ts';
import { currenciesOf, mayBackfill, type Schedule } from '../../domain/treasury/schedule.ts';
import { dueOn } from '../../domain/treasury/schedule-dates.ts';
import { listForgottenOccurrences, readScheduleInForce, startOccurrenceAs } from '../../store/treasury/occurrences.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { asApplicationError } from '../as-application-error.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { scheduleIn } from './schedule-views.ts';

/** Starts an occurrence now. Under the same key it is the same occurrence, so that none is started twice. */
export async function triggerSchedule(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  scheduleId: string,
  idempotencyKey: string,
): Promise<StartedOccurrence> {
  const schedule = await inForce(dependencies, scheduleId);
  const { date: localDate } = localTimeOf(dependencies.now(), schedule.time_zone);
  const occurrenceId = triggeredOccurrenceId(scheduleId, `${user.userId} ${idempotencyKey}`);
  return start(dependencies, user, { scheduleId, occurrenceId, localDate, slot: 0, movedFrom: [] }, schedule);
}

/** Makes up for one date of a fixed amount that was missed. */
export async function backfillSchedule(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  scheduleId: string,
  { date, time }: { date: string; time: string | null },
): Promise<StartedOccurrence> {
  const schedule = await inForce(dependencies, scheduleId);
  if (!mayBackfill(schedule.kind)) {
    throw new ApplicationError(
      'conflict',
      'only fixed amounts can be backfilled: what a sweep or a top-up converts depends on the balance of today',
    );
  }
  const slot = slotOf(schedule, time);
  const [at] = instantsOf(date, schedule.times[slot - 1] ?? '', schedule.time_zone);
  if (at === undefined || at > dependencies.now()) {
    throw new ApplicationError('invalid_input', `date: ${date} has not come yet: only past dates are backfilled`);
  }
  const isBusinessDay = businessDays(currenciesOf(schedule), dependencies.calendars);
  const dates = dueOn(date, schedule, isBusinessDay);
  if (dates.length === 0) {
    throw new ApplicationError('invalid_input', `date: the schedule was not due on ${date}`);
  }
  const occurrenceId = idOfOccurrence(scheduleId, date, slot);
  const movedFrom = dates.filter((day) => day !== date);
  return start(dependencies, user, { scheduleId, occurrenceId, localDate: date, slot, movedFrom }, schedule);
}

function slotOf({ times }: Schedule, time: string | null): number {
  const slot = time === null ? (times.length === 1 ? 1 : 0) : times.indexOf(time) + 1;
  if (slot > 0) return slot;
  throw new ApplicationError('invalid_input', `time: give the one that was missed: ${times.join(', ')}`);
}

async function inForce({ database }: ApplicationDependencies, scheduleId: string): Promise<Schedule> {
  const schedule = await readScheduleInForce(database, scheduleId);
  if (schedule === null) throw new ApplicationError('not_found', 'there is no such schedule');
  if (schedule.definition === null) {
    throw new ApplicationError('conflict', 'no version of the schedule was confirmed yet');
  }
  return scheduleIn(schedule.definition);
}

async function start(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  of: { scheduleId: string; occurrenceId: string; localDate: string; slot: number; movedFrom: string[] },
  { kind }: Schedule,
): Promise<StartedOccurrence> {
  const { database, calendars } = dependencies;
  const calendarVersion = calendars.overrides.version;
  const isNew = await asApplicationError(startOccurrenceAs(database, user.tokenHash, { ...of, calendarVersion }));
  await startWorkflow(dependencies, of).catch(() => undefined);
  return { occurrenceId: of.occurrenceId, isNew, needsApproval: kind === 'fixed_amount' };
}

/** Occurrences whose workflow could not be started when they were asked for. */
export async function startForgottenOccurrences(dependencies: ApplicationDependencies): Promise<void> {
  for (const occurrence of await listForgottenOccurrences(dependencies.database)) {
    await startWorkflow(dependencies, occurrence);
  }
}

async function startWorkflow(
  { temporal }: ApplicationDependencies,
  { scheduleId, occurrenceId }: { scheduleId: string; occurrenceId: string },
): Promise<void> {
  try {
    await temporal.workflow.start('scheduleOccurrence', {
      workflowId: occurrenceWorkflowId(occurrenceId),
      taskQueue: MAIN_TASK_QUEUE,
      args: [{ scheduleId, occurrenceId }],
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      staticSummary: 'Converts money as a schedule says, started by hand',
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
