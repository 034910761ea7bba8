import type { DoneOrChange } from '../../api/approvals/change.ts';
import type { DeliverySummary } from '../../api/notifications/delivery.ts';
import type {
  AddedEndpoint,
  EndpointRequest,
  EndpointSummary,
  RotatedSecret,
  TestedEndpoint,
} from '../../api/notifications/endpoint.ts';
import type { NotificationsApplication } from '../../application/notifications/use-cases.ts';
import { ApplicationError } from '../../application/application-error.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import { FakeAuthority } from './fake-authority.ts';

export const ENDPOINT = '018f2a00-0000-7000-8000-0000000000e1';
export const DELIVERY = '018f2a00-0000-7000-8000-0000000000e2';
const NOTIFICATION = '018f2a00-0000-7000-8000-0000000000e3';
const NOW = '2026-01-05T09:00:00.000Z';

export function anEndpointSummary(parts: Partial<EndpointSummary> = {}): EndpointSummary {
  return {
    ...{ endpointId: ENDPOINT, name: 'ops-hooks', kind: 'webhook', url: 'https://hooks.example.com/secret-path' },
    ...{ addresses: null, types: null, state: 'enabled', stateReason: null, stateChangedAt: NOW, changeId: null },
    ...{ failingSince: null, undelivered: 0, addedAt: NOW },
    ...parts,
  };
}

export function aDelivery(parts: Partial<DeliverySummary> = {}): DeliverySummary {
  return {
    ...{ deliveryId: DELIVERY, notificationId: NOTIFICATION, endpointId: ENDPOINT, endpointName: 'ops-hooks' },
    ...{ type: 'run.finished', subjectId: '018f2a00-0000-7000-8000-000000000001', state: 'delivered', attempts: 1 },
    ...{ httpStatus: 204, error: null, createdAt: NOW, attemptedAt: NOW, nextAttemptAt: null },
    ...parts,
  };
}

/** Endpoints and deliveries over plain memory. */
export class FakeNotifications extends FakeAuthority implements NotificationsApplication {
  endpoints: EndpointSummary[] = [];
  deliveries: DeliverySummary[] = [];

  async addEndpoint(user: SignedIn, endpoint: EndpointRequest): Promise<AddedEndpoint> {
    await this.asked('addEndpoint', user, endpoint);
    const change = { changeId: '018f2a00-0000-7000-8000-0000000000c3', state: 'pending', takesEffectAt: NOW } as const;
    return { endpointId: ENDPOINT, secret: endpoint.kind === 'webhook' ? 'whsec_c2VjcmV0' : null, change };
  }

  async listEndpoints(): Promise<EndpointSummary[]> {
    await this.meet('listEndpoints');
    return this.endpoints;
  }

  async findEndpoint(_user: SignedIn, endpointId: string): Promise<EndpointSummary | null> {
    await this.meet('findEndpoint');
    return this.endpoints.find((endpoint) => endpoint.endpointId === endpointId) ?? null;
  }

  async disableEndpoint(user: SignedIn, endpointId: string): Promise<DoneOrChange> {
    await this.asked('disableEndpoint', user, { endpointId });
    return { change: null };
  }

  async enableEndpoint(user: SignedIn, endpointId: string): Promise<DoneOrChange> {
    await this.asked('enableEndpoint', user, { endpointId });
    return { change: null };
  }

  async rotateEndpointSecret(user: SignedIn, endpointId: string): Promise<RotatedSecret> {
    await this.asked('rotateEndpointSecret', user, { endpointId });
    return { secret: 'whsec_bmV3', formerValidUntil: '2026-01-06T09:00:00.000Z' };
  }

  async removeEndpoint(user: SignedIn, endpointId: string): Promise<DoneOrChange> {
    await this.asked('removeEndpoint', user, { endpointId });
    return { change: null };
  }

  async testEndpoint(user: SignedIn, endpointId: string): Promise<TestedEndpoint> {
    await this.asked('testEndpoint', user, { endpointId });
    return { notificationId: NOTIFICATION };
  }

  async listDeliveries(user: SignedIn, filter: object): Promise<DeliverySummary[]> {
    await this.asked('listDeliveries', user, filter);
    return this.deliveries;
  }

  async retryDelivery(user: SignedIn, deliveryId: string): Promise<void> {
    await this.asked('retryDelivery', user, { deliveryId });
    if (!this.deliveries.some((delivery) => delivery.deliveryId === deliveryId)) {
      throw new ApplicationError('not_found', 'there is no such delivery');
    }
  }
}
