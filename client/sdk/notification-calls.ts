import { deliveryListSchema, type DeliveryListQuery, type DeliverySummary } from '../../api/notifications/delivery.ts';
import {
  type AddedEndpoint,
  addedEndpointSchema,
  endpointListSchema,
  type EndpointRequest,
  type EndpointSummary,
  endpointSummarySchema,
  notificationTypeListSchema,
  type NotificationTypeSummary,
  type RotatedSecret,
  rotatedSecretSchema,
  type TestedEndpoint,
  testedEndpointSchema,
} from '../../api/notifications/endpoint.ts';
import { type JsonCaller, NO_CONTENT } from './json-caller.ts';

/** Where notifications go, and what became of them. For administrators. */
export interface NotificationCalls {
  readonly notifications: {
    /** The types of notifications. */
    types(): Promise<NotificationTypeSummary[]>;
    endpoints: {
      list(): Promise<EndpointSummary[]>;
      get(endpointId: string): Promise<EndpointSummary>;
      /** Nothing is sent until a second administrator confirms it. The only time that the secret is shown. */
      add(endpoint: EndpointRequest): Promise<AddedEndpoint>;
      disable(endpointId: string): Promise<EndpointSummary>;
      /** It also gets what it missed in the last seven days. */
      enable(endpointId: string): Promise<EndpointSummary>;
      /** For a day, webhooks are signed with both secrets. */
      rotateSecret(endpointId: string): Promise<RotatedSecret>;
      remove(endpointId: string): Promise<void>;
      test(endpointId: string): Promise<TestedEndpoint>;
    };
    /** The newest first. */
    deliveries(filter?: DeliveryListQuery): Promise<DeliverySummary[]>;
    /** Sends it again with the same id, also when it was delivered. */
    retry(deliveryId: string): Promise<void>;
  };
}

export function notificationCalls(call: JsonCaller): NotificationCalls {
  return {
    notifications: {
      types: async () => (await call(notificationTypeListSchema, { path: '/notifications/types' })).types,
      endpoints: callsOfEndpoints(call),
      deliveries: async ({ endpointId = null, state = null, limit = null } = {}) => {
        const query: Record<string, string | number | null> = { endpointId, state, limit };
        return (await call(deliveryListSchema, { path: '/notifications/deliveries', query })).deliveries;
      },
      retry: async (deliveryId) => {
        const path = `/notifications/deliveries/${encodeURIComponent(deliveryId)}/retry`;
        await call(NO_CONTENT, { method: 'POST', path });
      },
    },
  };
}

function callsOfEndpoints(call: JsonCaller): NotificationCalls['notifications']['endpoints'] {
  const list = '/notifications/endpoints';
  const pathOf = (endpointId: string): string => `${list}/${encodeURIComponent(endpointId)}`;
  return {
    list: async () => (await call(endpointListSchema, { path: list })).endpoints,
    get: (endpointId) => call(endpointSummarySchema, { path: pathOf(endpointId) }),
    add: (body) => call(addedEndpointSchema, { method: 'POST', path: list, body }),
    disable: (endpointId) => call(endpointSummarySchema, { method: 'POST', path: `${pathOf(endpointId)}/disable` }),
    enable: (endpointId) => call(endpointSummarySchema, { method: 'POST', path: `${pathOf(endpointId)}/enable` }),
    rotateSecret: (endpointId) =>
      call(rotatedSecretSchema, { method: 'POST', path: `${pathOf(endpointId)}/rotate-secret` }),
    remove: async (endpointId) => {
      await call(NO_CONTENT, { method: 'DELETE', path: pathOf(endpointId) });
    },
    test: (endpointId) => call(testedEndpointSchema, { method: 'POST', path: `${pathOf(endpointId)}/test` }),
  };
}
