import { readAccountOfSchedule } from '../../store/treasury/schedule-views.ts';
import * as schedules from './manage-schedules.ts';
import { findSchedule, listSchedules, nextOccurrences } from './schedule-views.ts';
import type { SchedulesApplication } from './schedules-api.ts';
import { backfillSchedule, triggerSchedule } from './start-occurrence.ts';
import { viewCash } from './view-cash.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';

/** The use cases of schedules and of the cash view. */
export function scheduleCalls(dependencies: ApplicationDependencies) {
  return {
    addSchedule: (user, schedule, dryRun) => schedules.addSchedule(dependencies, user, schedule, dryRun),
    editSchedule: (user, scheduleId, schedule, dryRun) =>
      schedules.editSchedule(dependencies, user, scheduleId, schedule, dryRun),
    listSchedules: (user, account) => listSchedules(dependencies, user, account),
    findSchedule: (scheduleId) => findSchedule(dependencies, scheduleId),
    accountOfSchedule: (scheduleId) => readAccountOfSchedule(dependencies.database, scheduleId),
    decideSchedule: (user, scheduleId, decided) => schedules.decideSchedule(dependencies, user, scheduleId, decided),
    pauseSchedule: (user, scheduleId, reason) => schedules.pauseSchedule(dependencies, user, scheduleId, reason),
    resumeSchedule: (user, scheduleId, reason) => schedules.resumeSchedule(dependencies, user, scheduleId, reason),
    deleteSchedule: (user, scheduleId, reason) => schedules.deleteSchedule(dependencies, user, scheduleId, reason),
    nextOccurrences: (scheduleId, count) => nextOccurrences(dependencies, scheduleId, count),
    triggerSchedule: (user, scheduleId, key) => triggerSchedule(dependencies, user, scheduleId, key),
    backfillSchedule: (user, scheduleId, missed) => backfillSchedule(dependencies, user, scheduleId, missed),
    viewCash: (user, query) => viewCash(dependencies, user, query),
  } satisfies SchedulesApplication;
}
