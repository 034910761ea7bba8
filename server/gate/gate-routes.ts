import { errorsOf, json } from '../../api/answers.ts';
import { gatesSchema, workersSchema } from '../../api/gate/gate.ts';
import type { OperationsApplication } from '../../application/operations-api.ts';
import type { Api } from '../api.ts';
import { userOf } from '../users/access.ts';

/** How requests are let through to the provider, and who sends them. */
export function addGateRoutes(app: Api, application: Pick<OperationsApplication, 'readGates' | 'readWorkers'>): void {
  app.get('/gates', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listGates',
      tags: ['operations'],
      summary: 'The request gate of each account: limits, slots, pauses, and what waits',
      response: { 200: json('The gates.', gatesSchema), ...errorsOf() },
    },
    handler: (request) => application.readGates(userOf(request)),
  });

  app.get('/workers', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listWorkers',
      tags: ['operations'],
      summary: 'Workers that poll, their versions, and queues that nobody polls',
      response: { 200: json('The workers.', workersSchema), ...errorsOf(503) },
    },
    handler: () => application.readWorkers(),
  });
}
