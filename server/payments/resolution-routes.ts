import type { Application } from '../../application/application-api.ts';
import { ApplicationError } from '../../application/application-error.ts';
import { mayReadInstructions, userOf } from '../users/access.ts';
import type { Api } from '../api.ts';
import { json, refusalsOf } from '../../api/answers.ts';
import {
  confirmationSchema,
  denialSchema,
  resolutionRequestSchema,
  rowDetailSchema,
  rowParams,
} from '../../api/runs/row-detail.ts';

type ResolvingApplication = Pick<Application, 'findRow' | 'proposeResolution' | 'confirmResolution' | 'denyResolution'>;

const afterwards = { 200: json('The row afterwards.', rowDetailSchema), ...refusalsOf(400, 404, 409, 415) };

/** One row with its evidence, and how two people settle it when it is unknown. Who may confirm is the application's rule. */
export function addResolutionRoutes(app: Api, application: ResolvingApplication): void {
  app.get('/runs/:runId/rows/:rowRef', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'getRow',
      tags: ['runs'],
      summary: 'One row, with the evidence of what became of it',
      description: 'What it pays by is for those who may read instructions.',
      params: rowParams,
      response: { 200: json('The row.', rowDetailSchema), ...refusalsOf(400, 404) },
    },
    handler: async (request) => {
      const { runId, rowRef } = request.params;
      const row = await application.findRow(runId, rowRef, { withInstructions: mayReadInstructions(request) });
      if (row === null) throw new ApplicationError('not_found', 'there is no such row in this run');
      return row;
    },
  });

  app.post('/runs/:runId/rows/:rowRef/resolution', {
    config: { access: 'propose_resolution' },
    schema: {
      operationId: 'proposeResolution',
      tags: ['decisions'],
      summary: 'Propose how an unknown row ended',
      description: 'Counts for what is known of the row now, and takes effect when a second person confirms it.',
      params: rowParams,
      body: resolutionRequestSchema,
      response: afterwards,
    },
    handler: (request) => application.proposeResolution(userOf(request), request.params, request.body),
  });

  app.post('/runs/:runId/rows/:rowRef/resolution/confirm', {
    config: { access: 'decide_run' },
    schema: {
      operationId: 'confirmResolution',
      tags: ['decisions'],
      summary: 'Confirm how an unknown row ended',
      description:
        'The provider is asked once more first: when it says otherwise, its word is recorded instead. Neither the ' +
        "proposer nor the run's maker may confirm.",
      params: rowParams,
      body: confirmationSchema,
      response: afterwards,
    },
    handler: (request) => application.confirmResolution(userOf(request), request.params, request.body),
  });

  app.post('/runs/:runId/rows/:rowRef/resolution/deny', {
    config: { access: 'propose_resolution' },
    schema: {
      operationId: 'denyResolution',
      tags: ['decisions'],
      summary: 'Deny a proposal, or take back one of your own',
      params: rowParams,
      body: denialSchema,
      response: afterwards,
    },
    handler: (request) => application.denyResolution(userOf(request), request.params, request.body),
  });
}
