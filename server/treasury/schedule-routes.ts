import { z } from 'zod';
import { errorsOf, json } from '../../api/answers.ts';
import { reasonSchema } from '../../api/approvals/stop.ts';
import { cashQuery, cashViewSchema } from '../../api/treasury/cash.ts';
import {
  acceptedScheduleSchema,
  actionableScheduleSchema,
  nextOccurrencesSchema,
  nextQuery,
  scheduleDecisionSchema,
  scheduleListSchema,
  scheduleParams,
  scheduleQuery,
  scheduleRequestSchema,
  occurrenceRequestSchema,
  scheduleSummarySchema,
  startedOccurrenceSchema,
} from '../../api/treasury/schedule.ts';
import type { Application } from '../../application/application-api.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { ScheduleOutcome, SchedulesApplication } from '../../application/treasury/schedules-api.ts';
import type { Api } from '../api.ts';
import { HttpError } from '../http-error.ts';
import { userOf } from '../users/access.ts';

const SCHEDULES = '/treasury/schedules';
const SCHEDULE = `${SCHEDULES}/:scheduleId`;

type Schedules = SchedulesApplication & Pick<Application, 'allowedActions'>;

/** Schedules of conversions, and what the money will be. */
export function addScheduleRoutes(app: Api, application: Schedules): void {
  addReadingRoutes(app, application);
  addProposingRoutes(app, application);
  addDecidingRoutes(app, application);
  addStartingRoute(app, application);
}

function addReadingRoutes(app: Api, application: Schedules): void {
  app.get(SCHEDULES, {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listSchedules',
      tags: ['treasury'],
      summary: 'Schedules of conversions, of the accounts that you may use',
      querystring: scheduleQuery,
      response: { 200: json('The schedules, by name.', scheduleListSchema), ...errorsOf(400) },
    },
    handler: async (request) => ({
      schedules: await application.listSchedules(userOf(request), request.query.account),
    }),
  });

  app.get(SCHEDULE, {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'getSchedule',
      tags: ['treasury'],
      summary: 'One of them, with what it did lately',
      params: scheduleParams,
      response: {
        200: json('The schedule, and what you may do with it.', actionableScheduleSchema),
        ...errorsOf(400, 404),
      },
    },
    handler: async (request) => {
      const { scheduleId } = request.params;
      const detail = orNotFound(await application.findSchedule(scheduleId), 'there is no such schedule');
      const actions = await application.allowedActions(userOf(request), { kind: 'schedule', id: scheduleId });
      return { ...detail, allowedActions: actions ?? [] };
    },
  });

  app.get(`${SCHEDULE}/next`, {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'nextOccurrences',
      tags: ['treasury'],
      summary: 'When a schedule is due next, and what it would do with the balances of this moment',
      params: scheduleParams,
      querystring: nextQuery,
      response: { 200: json('The occurrences.', nextOccurrencesSchema), ...errorsOf(400, 404, 409) },
    },
    handler: (request) => application.nextOccurrences(request.params.scheduleId, request.query.count),
  });

  app.get('/treasury/cash', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'viewCash',
      tags: ['treasury'],
      summary: 'What will be free in each currency, day by day',
      description: 'By approved runs, active schedules, and money that you expect, at the prices of the last quotes.',
      querystring: cashQuery,
      response: { 200: json('The view of each account.', cashViewSchema), ...errorsOf(400) },
    },
    handler: async (request) => ({ accounts: await application.viewCash(userOf(request), request.query) }),
  });
}

function addProposingRoutes(app: Api, application: SchedulesApplication): void {
  app.post(SCHEDULES, {
    config: { access: 'convert' },
    schema: {
      operationId: 'addSchedule',
      tags: ['treasury'],
      summary: 'Propose a schedule of conversions',
      description: 'It takes effect when another person confirms it.',
      body: scheduleRequestSchema,
      response: { 201: json('The schedule was accepted.', acceptedScheduleSchema), ...errorsOf(400, 409, 415, 422) },
    },
    handler: async (request, reply) => {
      const { schedule, dryRun } = request.body;
      const outcome = await application.addSchedule(userOf(request), schedule, dryRun);
      return reply.code(201).send(acceptedOf(outcome));
    },
  });

  app.put(SCHEDULE, {
    config: { access: 'convert' },
    schema: {
      operationId: 'editSchedule',
      tags: ['treasury'],
      summary: 'Propose another version of a schedule',
      description: 'The version in force stays so until another person confirms the new one. Account and name stay.',
      params: scheduleParams,
      body: scheduleRequestSchema,
      response: {
        200: json('The version was accepted.', acceptedScheduleSchema),
        ...errorsOf(400, 404, 409, 415, 422),
      },
    },
    handler: async (request) => {
      const { schedule, dryRun } = request.body;
      const { scheduleId } = request.params;
      return acceptedOf(await application.editSchedule(userOf(request), scheduleId, schedule, dryRun));
    },
  });
}

function addDecidingRoutes(app: Api, application: SchedulesApplication): void {
  app.post(`${SCHEDULE}/decision`, {
    config: { access: 'decide_conversion' },
    schema: {
      operationId: 'decideSchedule',
      tags: ['treasury'],
      summary: 'Confirm or reject the version of a schedule that you saw',
      description: 'Whoever proposed a version may reject it, and never confirms it.',
      params: scheduleParams,
      body: scheduleDecisionSchema,
      response: { 200: json('The schedule afterwards.', scheduleSummarySchema), ...errorsOf(400, 404, 409, 415) },
    },
    handler: (request) => application.decideSchedule(userOf(request), request.params.scheduleId, request.body),
  });

  for (const [verb, call, access, summary] of [
    ['pause', 'pauseSchedule', 'decide_conversion', 'Let a schedule place no order until it is resumed'],
    ['resume', 'resumeSchedule', 'convert', 'Let a paused schedule go on'],
    ['delete', 'deleteSchedule', 'convert', 'Delete a schedule; what it did is kept'],
  ] as const) {
    app.post(`${SCHEDULE}/${verb}`, {
      config: { access },
      schema: {
        operationId: call,
        tags: ['treasury'],
        summary,
        params: scheduleParams,
        body: reasonSchema,
        response: { 200: json('The schedule afterwards.', scheduleSummarySchema), ...errorsOf(400, 404, 409, 415) },
      },
      handler: (request) => application[call](userOf(request), request.params.scheduleId, request.body.reason),
    });
  }
}

/** Starts an occurrence now, or backfills one. */
function addStartingRoute(app: Api, application: SchedulesApplication): void {
  app.post(`${SCHEDULE}/occurrences`, {
    config: { access: 'convert' },
    schema: {
      operationId: 'startOccurrence',
      tags: ['treasury'],
      summary: 'Start an occurrence of a schedule now, or backfill a past date of a fixed amount',
      description:
        'Under the same Idempotency-Key by the same user, what is started now is the same occurrence. What a fixed amount places ' +
        'then needs an approval of its own.',
      headers: z.object({ 'idempotency-key': z.string().optional().describe('1 to 200 visible ASCII characters.') }),
      params: scheduleParams,
      body: occurrenceRequestSchema,
      response: { 200: json('The occurrence.', startedOccurrenceSchema), ...errorsOf(400, 404, 409, 415) },
    },
    handler: (request) => {
      const { date, time } = request.body;
      const { scheduleId } = request.params;
      if (date !== null) return application.backfillSchedule(userOf(request), scheduleId, { date, time });
      return application.triggerSchedule(userOf(request), scheduleId, keyOf(request.headers['idempotency-key']));
    },
  });
}

function keyOf(header: string | undefined): string {
  if (header !== undefined && /^[!-~]{1,200}$/.test(header)) return header;
  throw new HttpError(400, 'invalid_input', 'Idempotency-Key: give one of 1 to 200 visible ASCII characters');
}

function acceptedOf(outcome: ScheduleOutcome) {
  if (outcome.kind === 'accepted') return outcome;
  const { problems } = outcome;
  const mistakes = problems.length === 1 ? '1 mistake' : `${problems.length} mistakes`;
  throw new HttpError(422, 'schedule_refused', `the schedule was refused, nothing was stored: it has ${mistakes}`, {
    problems,
  });
}
