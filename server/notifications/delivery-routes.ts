import { z } from 'zod';
import type { Application } from '../../application/application-api.ts';
import { userOf } from '../users/access.ts';
import type { Api } from '../api.ts';
import { json, errorsOf } from '../../api/answers.ts';
import { deliveryListQuery, deliveryListSchema, deliveryParams } from '../../api/notifications/delivery.ts';

/** What became of notifications. */
export function addDeliveryRoutes(app: Api, application: Pick<Application, 'listDeliveries' | 'retryDelivery'>): void {
  app.get('/notifications/deliveries', {
    config: { access: 'manage_users' },
    schema: {
      operationId: 'listDeliveries',
      tags: ['notifications'],
      summary: 'Notifications on their way, and delivered ones, the newest first',
      querystring: deliveryListQuery,
      response: { 200: json('The deliveries.', deliveryListSchema), ...errorsOf(400) },
    },
    handler: async (request) => {
      const { endpointId = null, state = null, limit } = request.query;
      return { deliveries: await application.listDeliveries(userOf(request), { endpointId, state, limit }) };
    },
  });

  app.post('/notifications/deliveries/:deliveryId/retry', {
    config: { access: 'manage_users' },
    schema: {
      operationId: 'retryDelivery',
      tags: ['notifications'],
      summary: 'Send a notification again, with the same id; also one that was delivered',
      params: deliveryParams,
      response: { 204: z.undefined().describe('It is queued.'), ...errorsOf(400, 404, 409) },
    },
    handler: async (request, reply) => {
      await application.retryDelivery(userOf(request), request.params.deliveryId);
      return reply.code(204).send();
    },
  });
}
