import {
  type ScheduleDescription,
  ScheduleAlreadyRunning,
  type ScheduleHandle,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type ScheduleOptions,
} from '@temporalio/client';
import { MAIN_TASK_QUEUE, occurrenceWorkflowId, temporalScheduleId } from '../../domain/identifiers.ts';
import { PAUSE_REASONS } from '../../domain/treasury/occurrence-end.ts';
import { listSchedulesToSync, noteSynced, type ScheduleToSync } from '../../store/treasury/schedule-sync.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { scheduleIn } from './schedule-views.ts';

/** What somebody changes in Temporal by hand is put right within this time. */
const COMPARE_EVERY_MS = 10 * 60_000;
const CATCH_UP_WINDOW = '10 minutes';
const CATCH_UP_WINDOW_MS = 10 * 60_000;
const DEFAULT_JITTER_MS = 60_000;

/**
 * Gives Temporal the schedules of the database, which is the truth: creates, changes, pauses and deletes those there. What a
 * schedule in Temporal starts by mistake asks the database and does nothing.
 */
export async function syncSchedules(dependencies: ApplicationDependencies): Promise<void> {
  const { database } = dependencies;
  const schedules = await listSchedulesToSync(database, { scheduleId: null, comparedBeforeMs: COMPARE_EVERY_MS });
  const failures: unknown[] = [];
  for (const schedule of schedules) {
    // One that cannot be given to Temporal does not keep the others from it.
    await sync(dependencies, schedule).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, 'schedules could not be given to Temporal');
}

/** The same for one, after a user has changed it. If that fails, it is done within a minute. */
export async function syncSchedule(dependencies: ApplicationDependencies, scheduleId: string): Promise<void> {
  const { database } = dependencies;
  try {
    const [schedule] = await listSchedulesToSync(database, { scheduleId, comparedBeforeMs: 0 });
    if (schedule !== undefined) await sync(dependencies, schedule);
  } catch {
    // A server looks again every minute.
  }
}

async function sync(
  { database, temporal, settings }: ApplicationDependencies,
  schedule: ScheduleToSync,
): Promise<void> {
  const handle = temporal.schedule.getHandle(temporalScheduleId(schedule.scheduleId));
  if (schedule.state === 'deleted') await deleted(handle);
  else await createdOrUpdated(temporal.schedule, handle, optionsOf(schedule, settings.scheduleJitterMs));
  await noteSynced(database, schedule);
}

async function deleted(handle: ScheduleHandle): Promise<void> {
  await handle.delete().catch((error: unknown) => {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  });
}

async function createdOrUpdated(
  client: ApplicationDependencies['temporal']['schedule'],
  handle: ScheduleHandle,
  options: ScheduleOptions,
): Promise<void> {
  const current = await describe(handle);
  if (current === null) {
    await client.create(options).catch((error: unknown) => {
      // Another server was faster: it has the same record.
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    });
  } else if (!isAsWanted(current, options)) {
    await handle.update(({ typedSearchAttributes }) => ({
      ...{ spec: options.spec, action: options.action, policies: options.policies ?? {}, typedSearchAttributes },
      state: options.state ?? {},
    }));
  }
}

async function describe(handle: ScheduleHandle): Promise<ScheduleDescription | null> {
  try {
    return await handle.describe();
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  }
}

/**
 * It fires daily at each of the times: whether a date is due, is asked of the database. The catch-up window covers outages of Temporal
 * alone. Starts wait for an earlier one to end: after an outage of the workers, those that are too late are over at once, and
 * one within it is carried out.
 */
function optionsOf(
  { scheduleId, state, stateReason, definition }: ScheduleToSync,
  jitter = DEFAULT_JITTER_MS,
): ScheduleOptions {
  const { times, time_zone: timezone } = scheduleIn(definition);
  const note = stateReason === null || stateReason === 'by_person' ? '' : PAUSE_REASONS[stateReason];
  return {
    scheduleId: temporalScheduleId(scheduleId),
    spec: {
      calendars: times.map((time) => {
        const [hour = 0, minute = 0] = time.split(':').map(Number);
        return { hour, minute };
      }),
      timezone,
      jitter,
    },
    action: {
      type: 'startWorkflow',
      workflowType: 'scheduleOccurrence',
      workflowId: occurrenceWorkflowId(scheduleId),
      taskQueue: MAIN_TASK_QUEUE,
      args: [{ scheduleId }],
      staticSummary: 'Converts money as a schedule says',
    },
    policies: { overlap: ScheduleOverlapPolicy.BUFFER_ALL, catchupWindow: CATCH_UP_WINDOW, pauseOnFailure: true },
    state: { paused: state !== 'active', note: state === 'active' ? '' : `payrun: ${note || 'paused by a person'}` },
  };
}

function isAsWanted({ spec, policies, state }: ScheduleDescription, wanted: ScheduleOptions): boolean {
  const times = (spec.calendars ?? []).map(({ hour, minute }) => ({ hour: hour[0]?.start, minute: minute[0]?.start }));
  return (
    JSON.stringify(times) === JSON.stringify(wanted.spec.calendars) &&
    spec.timezone === wanted.spec.timezone &&
    spec.jitter === wanted.spec.jitter &&
    policies.overlap === wanted.policies?.overlap &&
    policies.catchupWindow === CATCH_UP_WINDOW_MS &&
    policies.pauseOnFailure &&
    state.paused === wanted.state?.paused
  );
}
