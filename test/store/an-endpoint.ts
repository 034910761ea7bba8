import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '../helpers/test-database.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import type { TestUser } from '../helpers/users.ts';
import type { BegunChange } from '../../store/approvals/changes.ts';
import { newEndpointSecret } from '../../store/notifications/endpoint-secrets.ts';
import { addEndpointAs } from '../../store/notifications/endpoints.ts';

export interface AddedTestEndpoint {
  endpointId: string;
  /** As its receiver is given it. */
  secret: string;
  change: BegunChange;
}

/** A webhook of an administrator. Until the first run is approved it is enabled at once. */
export async function anEndpoint(
  { asServer }: Pick<TestDatabase, 'asServer'>,
  administrator: TestUser,
  { url = 'https://hooks.example.com/payrun', types = null }: { url?: string; types?: readonly string[] | null } = {},
): Promise<AddedTestEndpoint> {
  const endpointId = randomUUID();
  const secret = newEndpointSecret(TEST_DATA_KEYS);
  const { change } = await addEndpointAs(asServer, administrator.tokenHash, {
    endpointId,
    name: `endpoint-${endpointId.slice(0, 8)}`,
    types,
    to: { kind: 'webhook', url, secret },
    target: new URL(url).origin,
  });
  return { endpointId, secret: secret.shown, change };
}
