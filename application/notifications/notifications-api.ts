import type { DeliveryState, DeliverySummary } from '../../api/notifications/delivery.ts';
import type {
  AddedEndpoint,
  EndpointRequest,
  EndpointSummary,
  RotatedSecret,
  TestedEndpoint,
} from '../../api/notifications/endpoint.ts';
import type { SignedIn } from '../users/signed-in.ts';

/**
 * Where notifications go, and what became of them, as the server calls it. See `Application`. Notifications are of all
 * accounts: every call throws `not_allowed` for a user who is limited to some.
 */
export interface NotificationsApplication {
  /** Throws `conflict` when there is one of the name. Nothing is sent to it until the change is in effect. */
  addEndpoint(user: SignedIn, endpoint: EndpointRequest): Promise<AddedEndpoint>;
  listEndpoints(user: SignedIn): Promise<EndpointSummary[]>;
  /** Null when there is no such endpoint. */
  findEndpoint(user: SignedIn, endpointId: string): Promise<EndpointSummary | null>;
  /** The calls below answer the endpoint afterwards. */
  disableEndpoint(user: SignedIn, endpointId: string): Promise<EndpointSummary>;
  /** It also gets what it missed in the last seven days. */
  enableEndpoint(user: SignedIn, endpointId: string): Promise<EndpointSummary>;
  rotateEndpointSecret(user: SignedIn, endpointId: string): Promise<RotatedSecret>;
  removeEndpoint(user: SignedIn, endpointId: string): Promise<void>;
  testEndpoint(user: SignedIn, endpointId: string): Promise<TestedEndpoint>;
  /** The newest first. */
  listDeliveries(
    user: SignedIn,
    filter: { endpointId: string | null; state: DeliveryState | null; limit: number },
  ): Promise<DeliverySummary[]>;
  /** Sends it again with the same id, also when it was delivered. */
  retryDelivery(user: SignedIn, deliveryId: string): Promise<void>;
}
