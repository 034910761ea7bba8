import { deliveryEndpoints, targetEndpoints } from '../../api/notifications/endpoints.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { Application } from '../../application/create-application.ts';
import { NOTIFICATION_TYPES, ruleOf } from '../../domain/notifications/notification-types.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

type NotificationApplication = Pick<
  Application,
  | 'addEndpoint'
  | 'listEndpoints'
  | 'findEndpoint'
  | 'disableEndpoint'
  | 'enableEndpoint'
  | 'rotateEndpointSecret'
  | 'removeEndpoint'
  | 'testEndpoint'
  | 'listDeliveries'
  | 'retryDelivery'
>;

export function addNotificationRoutes(app: Api, application: NotificationApplication): void {
  serve(app, targetEndpoints, {
    listNotificationTypes: () => ({ types: NOTIFICATION_TYPES.map((type) => ({ type, when: ruleOf(type).when })) }),
    listEndpoints: async ({ user }) => ({ endpoints: await application.listEndpoints(user) }),
    getEndpoint: async ({ user, params: { endpointId } }) =>
      orNotFound(await application.findEndpoint(user, endpointId), 'there is no such endpoint'),
    addEndpoint: ({ user, body }) => application.addEndpoint(user, body),
    disableEndpoint: ({ user, params: { endpointId } }) => application.disableEndpoint(user, endpointId),
    enableEndpoint: ({ user, params: { endpointId } }) => application.enableEndpoint(user, endpointId),
    removeEndpoint: ({ user, params: { endpointId } }) => application.removeEndpoint(user, endpointId),
    rotateEndpointSecret: ({ user, params: { endpointId } }) => application.rotateEndpointSecret(user, endpointId),
    testEndpoint: ({ user, params: { endpointId } }) => application.testEndpoint(user, endpointId),
  });
  serve(app, deliveryEndpoints, {
    listDeliveries: async ({ user, query: { endpointId = null, state = null, limit } }) => ({
      deliveries: await application.listDeliveries(user, { endpointId, state, limit }),
    }),
    retryDelivery: ({ user, params: { deliveryId } }) => application.retryDelivery(user, deliveryId),
  });
}
