import type { ApplicationDependencies } from '../application-dependencies.ts';
import { bindUseCases } from '../bind-use-cases.ts';
import {
  addSchedule,
  decideSchedule,
  deleteSchedule,
  editSchedule,
  pauseSchedule,
  resumeSchedule,
} from './manage-schedules.ts';
import { findSchedule, listSchedules, nextOccurrences } from './schedule-views.ts';
import { backfillSchedule, triggerSchedule } from './start-occurrence.ts';
import { viewCash } from './view-cash.ts';

/** The use cases of schedules and of the cash view. */
export type SchedulesApplication = ReturnType<typeof scheduleUseCases>;

export function scheduleUseCases(dependencies: ApplicationDependencies) {
  return bindUseCases(dependencies, {
    addSchedule,
    editSchedule,
    listSchedules,
    findSchedule,
    decideSchedule,
    pauseSchedule,
    resumeSchedule,
    deleteSchedule,
    nextOccurrences,
    triggerSchedule,
    backfillSchedule,
    viewCash,
  });
}
