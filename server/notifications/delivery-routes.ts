import { deliveryEndpoints } from '../../api/notifications/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

export function addDeliveryRoutes(app: Api, application: Pick<Application, 'listDeliveries' | 'retryDelivery'>): void {
  serve(app, deliveryEndpoints, {
    listDeliveries: async ({ user, query: { endpointId = null, state = null, limit } }) => ({
      deliveries: await application.listDeliveries(user, { endpointId, state, limit }),
    }),
    retryDelivery: ({ user, params: { deliveryId } }) => application.retryDelivery(user, deliveryId),
  });
}
