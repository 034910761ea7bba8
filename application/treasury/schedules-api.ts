export type { SchedulesApplication } from './schedule-use-cases.ts';
export type { DecidedVersion, ScheduleOutcome } from './manage-schedules.ts';
