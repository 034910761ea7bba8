import type { Application } from '../../application/application-api.ts';
import { orNotFound } from '../../application/application-error.ts';
import { mayReadInstructions, userOf } from '../users/access.ts';
import type { Api } from '../api.ts';
import { json, errorsOf } from '../../api/answers.ts';
import { confirmationSchema, denialSchema, resolutionRequestSchema } from '../../api/payments/resolution.ts';
import { rowDetailSchema } from '../../api/runs/row-detail.ts';
import { rowParams } from '../../api/runs/row.ts';

type ResolvingApplication = Pick<Application, 'findRow' | 'proposeResolution' | 'confirmResolution' | 'denyResolution'>;

const afterwards = { 200: json('The row afterwards.', rowDetailSchema), ...errorsOf(400, 404, 409, 415) };

/** One row with its evidence, and how two people resolve it when it is unknown. */
export function addResolutionRoutes(app: Api, application: ResolvingApplication): void {
  app.get('/runs/:runId/rows/:rowRef', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'getRow',
      tags: ['runs'],
      summary: 'One row, with the evidence of what became of it',
      description: 'Bank details and other instructions need the permission read_instructions.',
      params: rowParams,
      response: { 200: json('The row.', rowDetailSchema), ...errorsOf(400, 404) },
    },
    handler: async (request) => {
      const { runId, rowRef } = request.params;
      const row = await application.findRow(runId, rowRef, { withInstructions: mayReadInstructions(request) });
      return orNotFound(row, 'there is no such row in this run');
    },
  });

  app.post('/runs/:runId/rows/:rowRef/resolution', {
    config: { access: 'propose_resolution' },
    schema: {
      operationId: 'proposeResolution',
      tags: ['decisions'],
      summary: 'Propose how an unknown row ended',
      description: 'Applies to what is known of the row now, and takes effect when a second person confirms it.',
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
        'The provider is asked once more first: when it says otherwise, its answer is recorded instead. Neither the ' +
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
