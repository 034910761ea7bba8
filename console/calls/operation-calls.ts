import type { Health } from '../../api/health.ts';
import type { DeliverySummary } from '../../api/notifications/delivery.ts';
import type {
  AddedEndpoint,
  EndpointRequest,
  EndpointSummary,
  NotificationTypeSummary,
  RotatedSecret,
} from '../../api/notifications/endpoint.ts';
import { call, type ConsoleCall } from './call.ts';

export function readHealth(signal: AbortSignal): Promise<Health> {
  return call<Health>({ path: '/health', signal, alsoExpected: [503] });
}

export async function listDeliveries(
  query: NonNullable<ConsoleCall['query']>,
  signal: AbortSignal,
): Promise<DeliverySummary[]> {
  return (await call<{ deliveries: DeliverySummary[] }>({ path: '/notifications/deliveries', query, signal }))
    .deliveries;
}

export function retryDelivery(deliveryId: string): Promise<unknown> {
  return call({ method: 'POST', path: `/notifications/deliveries/${deliveryId}/retry` });
}

export async function listEndpoints(signal: AbortSignal): Promise<EndpointSummary[]> {
  return (await call<{ endpoints: EndpointSummary[] }>({ path: '/notifications/endpoints', signal })).endpoints;
}

export async function listTypes(signal: AbortSignal): Promise<NotificationTypeSummary[]> {
  return (await call<{ types: NotificationTypeSummary[] }>({ path: '/notifications/types', signal })).types;
}

export function addEndpoint(body: EndpointRequest): Promise<AddedEndpoint> {
  return call<AddedEndpoint>({ method: 'POST', path: '/notifications/endpoints', body });
}

export function actOnEndpoint(endpointId: string, verb: 'disable' | 'enable' | 'test'): Promise<unknown> {
  return call({ method: 'POST', path: `/notifications/endpoints/${endpointId}/${verb}` });
}

export function rotateSecret(endpointId: string): Promise<RotatedSecret> {
  return call<RotatedSecret>({ method: 'POST', path: `/notifications/endpoints/${endpointId}/rotate-secret` });
}

export function removeEndpoint(endpointId: string): Promise<unknown> {
  return call({ method: 'DELETE', path: `/notifications/endpoints/${endpointId}` });
}
