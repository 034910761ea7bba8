import { randomUUID } from 'node:crypto';
import type { DoneOrChange } from '../../api/approvals/change.ts';
import type { DeliveryState, DeliverySummary } from '../../api/notifications/delivery.ts';
import type {
  AddedEndpoint,
  EndpointRequest,
  EndpointSummary,
  RotatedSecret,
  TestedEndpoint,
} from '../../api/notifications/endpoint.ts';
import * as store from '../../store/notifications/endpoints.ts';
import { listDeliveries as listStoredDeliveries } from '../../store/notifications/deliveries.ts';
import { type NewSecret, newEndpointSecret } from '../../store/notifications/endpoint-secrets.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { asApplicationError } from '../as-application-error.ts';
import { iso } from '../iso-time.ts';
import type { SignedIn } from '../users/signed-in.ts';

type Dependencies = ApplicationDependencies;

/** Takes two administrators, as it has names of runs and people sent elsewhere. */
export async function addEndpoint(
  dependencies: Dependencies,
  user: SignedIn,
  endpoint: EndpointRequest,
): Promise<AddedEndpoint> {
  const endpointId = randomUUID();
  const { name, types = null } = endpoint;
  const { to, target } = destinationOf(dependencies, endpoint);
  const added = store.addEndpointAs(dependencies.database, user.tokenHash, { endpointId, name, types, to, target });
  const { change } = await asApplicationError(added);
  return { endpointId, secret: to.kind === 'webhook' ? to.secret.shown : null, change };
}

function destinationOf(
  dependencies: Dependencies,
  endpoint: EndpointRequest,
): Pick<store.NewEndpoint, 'to' | 'target'> {
  if (endpoint.kind === 'mail') {
    return { to: { kind: 'mail', addresses: endpoint.addresses }, target: endpoint.addresses.join(', ') };
  }
  const url = new URL(endpoint.url);
  if (url.username !== '' || url.password !== '') {
    throw new ApplicationError('invalid_input', 'url: has a login in it: give it without, webhooks are signed');
  }
  if (url.protocol !== 'https:' && dependencies.settings.privateHosts?.includes(url.hostname) !== true) {
    throw new ApplicationError(
      'invalid_input',
      `url: is not encrypted: give an https address, or name ${url.hostname} in PAYRUN_NOTIFICATION_PRIVATE_HOSTS`,
    );
  }
  return { to: { kind: 'webhook', url: url.href, secret: newSecret(dependencies) }, target: url.origin };
}

function newSecret({ dataKeys }: Dependencies): NewSecret {
  if (dataKeys !== null) return newEndpointSecret(dataKeys);
  throw new ApplicationError(
    'unavailable',
    'secrets of webhooks need a data key: have PAYRUN_DATA_KEY set for servers and workers (payrun keys new)',
  );
}

export async function listEndpoints({ database }: Dependencies, user: SignedIn): Promise<EndpointSummary[]> {
  refuseLimited(user);
  return (await store.listEndpoints(database)).map(endpointSummaryOf);
}

export async function findEndpoint(
  { database }: Dependencies,
  user: SignedIn,
  endpointId: string,
): Promise<EndpointSummary | null> {
  refuseLimited(user);
  const [endpoint] = await store.listEndpoints(database, endpointId);
  return endpoint === undefined ? null : endpointSummaryOf(endpoint);
}

export function disableEndpoint({ database }: Dependencies, user: SignedIn, endpointId: string): Promise<DoneOrChange> {
  return asApplicationError(store.disableEndpointAs(database, user.tokenHash, endpointId));
}

export function enableEndpoint({ database }: Dependencies, user: SignedIn, endpointId: string): Promise<DoneOrChange> {
  return asApplicationError(store.enableEndpointAs(database, user.tokenHash, endpointId));
}

export async function rotateEndpointSecret(
  dependencies: Dependencies,
  user: SignedIn,
  endpointId: string,
): Promise<RotatedSecret> {
  const secret = newSecret(dependencies);
  const rotated = store.rotateEndpointSecretAs(dependencies.database, user.tokenHash, endpointId, secret);
  const { formerValidUntil } = await asApplicationError(rotated);
  return { secret: secret.shown, formerValidUntil: new Date(formerValidUntil).toISOString() };
}

export function removeEndpoint({ database }: Dependencies, user: SignedIn, endpointId: string): Promise<DoneOrChange> {
  return asApplicationError(store.removeEndpointAs(database, user.tokenHash, endpointId));
}

export function testEndpoint({ database }: Dependencies, user: SignedIn, endpointId: string): Promise<TestedEndpoint> {
  return asApplicationError(store.testEndpointAs(database, user.tokenHash, endpointId));
}

export async function listDeliveries(
  { database }: Dependencies,
  user: SignedIn,
  filter: { endpointId: string | null; state: DeliveryState | null; limit: number },
): Promise<DeliverySummary[]> {
  refuseLimited(user);
  return (await listStoredDeliveries(database, filter)).map(
    ({ createdAt, attemptedAt, nextAttemptAt, ...delivery }) => ({
      ...delivery,
      createdAt: createdAt.toISOString(),
      attemptedAt: iso(attemptedAt),
      nextAttemptAt: iso(nextAttemptAt),
    }),
  );
}

export function retryDelivery({ database }: Dependencies, user: SignedIn, deliveryId: string): Promise<void> {
  return asApplicationError(store.retryDeliveryAs(database, user.tokenHash, deliveryId));
}

/** What is read is of all accounts. What changes something, the database refuses. */
function refuseLimited({ accounts }: SignedIn): void {
  if (accounts === null) return;
  throw new ApplicationError('not_allowed', 'this concerns all accounts, and you are limited to some of them');
}

function endpointSummaryOf({
  stateChangedAt,
  failingSince,
  addedAt,
  ...endpoint
}: store.EndpointRecord): EndpointSummary {
  return {
    ...endpoint,
    stateChangedAt: stateChangedAt.toISOString(),
    failingSince: iso(failingSince),
    addedAt: addedAt.toISOString(),
  };
}
