import type { Application } from '../../application/application-api.ts';
import { userOf } from '../users/access.ts';
import type { Api } from '../api.ts';
import { json, errorsOf } from '../../api/answers.ts';
import { runParams } from '../../api/runs/run.ts';
import {
  cancelledRunSchema,
  createdStopSchema,
  liftedStopSchema,
  reasonSchema,
  stopListSchema,
  stopLiftSchema,
  stopParams,
  stopRequestSchema,
} from '../../api/approvals/stop.ts';

type StoppingApplication = Pick<Application, 'stopPayments' | 'liftStop' | 'cancelRun' | 'listStops'>;

/** Stopping runs, accounts or everything; lifting stops; ending stopped runs. */
export function addStopRoutes(app: Api, application: StoppingApplication): void {
  app.get('/stops', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listStops',
      tags: ['stops'],
      summary: 'Active stops: of everything, and of the accounts that you may use',
      response: { 200: json('The stops.', stopListSchema), ...errorsOf() },
    },
    handler: async (request) => ({ stops: await application.listStops(userOf(request)) }),
  });

  app.post('/stops', {
    config: { access: 'stop_payments' },
    schema: {
      operationId: 'stopPayments',
      tags: ['stops'],
      summary: 'Stop everything, or one account with the provider',
      description: 'From then on nothing new is sent. What was sent is still confirmed.',
      body: stopRequestSchema,
      response: { 200: json('The stop.', createdStopSchema), ...errorsOf(400, 404, 415) },
    },
    handler: (request) => {
      const { reason, ...of } = request.body;
      return application.stopPayments(userOf(request), of, reason);
    },
  });

  app.post('/runs/:runId/stop', {
    config: { access: 'stop_payments' },
    schema: {
      operationId: 'stopRun',
      tags: ['stops'],
      summary: 'Stop a run',
      description: 'From then on nothing new of it is sent. What was sent is still confirmed.',
      params: runParams,
      body: reasonSchema,
      response: { 200: json('The stop.', createdStopSchema), ...errorsOf(400, 404, 409, 415) },
    },
    handler: (request) => {
      const { runId } = request.params;
      return application.stopPayments(userOf(request), { scope: 'run', runId }, request.body.reason);
    },
  });

  app.post('/runs/:runId/cancel', {
    config: { access: 'lift_stop' },
    schema: {
      operationId: 'cancelRun',
      tags: ['stops'],
      summary: 'End a stopped run for good',
      description: 'What was not sent never is, and its references are free again.',
      params: runParams,
      body: reasonSchema,
      response: { 200: json('What was ended.', cancelledRunSchema), ...errorsOf(400, 404, 409, 415) },
    },
    handler: (request) => application.cancelRun(userOf(request), request.params.runId, request.body.reason),
  });

  app.post('/stops/:stopId/lift', {
    config: { access: 'lift_stop' },
    schema: {
      operationId: 'liftStop',
      tags: ['stops'],
      summary: 'Ask to lift a stop, or lift one that somebody else has asked to',
      description: 'Two people lift a stop: one asks, then a checker other than they lifts it.',
      params: stopParams,
      body: stopLiftSchema,
      response: { 200: json('The stop afterwards.', liftedStopSchema), ...errorsOf(400, 404, 409, 415) },
    },
    handler: (request) => application.liftStop(userOf(request), request.params.stopId, request.body),
  });
}
