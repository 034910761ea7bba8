import { scheduleEndpoints } from '../../api/treasury/schedule-endpoints.ts';
import type { AcceptedSchedule } from '../../api/treasury/schedule.ts';
import type { Application } from '../../application/create-application.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { ScheduleOutcome } from '../../application/treasury/manage-schedules.ts';
import type { SchedulesApplication } from '../../application/treasury/schedule-use-cases.ts';
import type { Api } from '../api.ts';
import { HttpError } from '../http-error.ts';
import { serve } from '../serve.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';

type Schedules = SchedulesApplication & Pick<Application, 'allowedActions'>;

export function addScheduleRoutes(app: Api, application: Schedules): void {
  serve(app, scheduleEndpoints, {
    listSchedules: async ({ user, query: { account } }) => ({
      schedules: await application.listSchedules(user, account),
    }),
    getSchedule: async ({ user, params: { scheduleId } }) => {
      const detail = orNotFound(await application.findSchedule(scheduleId), 'there is no such schedule');
      const actions = await application.allowedActions(user, { kind: 'schedule', id: scheduleId });
      return { ...detail, allowedActions: actions ?? [] };
    },
    nextOccurrences: ({ params: { scheduleId }, query: { count } }) => application.nextOccurrences(scheduleId, count),
    viewCash: async ({ user, query }) => ({ accounts: await application.viewCash(user, query) }),
    addSchedule: async ({ user, body: { schedule, dryRun } }) =>
      acceptedOf(await application.addSchedule(user, schedule, dryRun)),
    editSchedule: async ({ user, params: { scheduleId }, body: { schedule, dryRun } }) =>
      acceptedOf(await application.editSchedule(user, scheduleId, schedule, dryRun)),
    decideSchedule: ({ user, params: { scheduleId }, body }) => application.decideSchedule(user, scheduleId, body),
    pauseSchedule: ({ user, params: { scheduleId }, body: { reason } }) =>
      application.pauseSchedule(user, scheduleId, reason),
    resumeSchedule: ({ user, params: { scheduleId }, body: { reason } }) =>
      application.resumeSchedule(user, scheduleId, reason),
    deleteSchedule: ({ user, params: { scheduleId }, body: { reason } }) =>
      application.deleteSchedule(user, scheduleId, reason),
    startOccurrence: ({ user, params: { scheduleId }, body: { date, time }, request }) =>
      date === null
        ? application.triggerSchedule(user, scheduleId, idempotencyKeyOf(request))
        : application.backfillSchedule(user, scheduleId, { date, time }),
  });
}

function acceptedOf(outcome: ScheduleOutcome): AcceptedSchedule {
  if (outcome.kind === 'accepted') return outcome;
  const { problems } = outcome;
  const mistakes = problems.length === 1 ? '1 mistake' : `${problems.length} mistakes`;
  throw new HttpError(422, 'schedule_refused', `the schedule was refused, nothing was stored: it has ${mistakes}`, {
    problems,
  });
}
