import { describe, expect, test } from 'vitest';
import type { EndpointRequest } from '../../api/notifications/endpoint.ts';
import type { ApplicationDependencies } from '../../application/application-dependencies.ts';
import { addEndpoint, listDeliveries, listEndpoints } from '../../application/notifications/manage-endpoints.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';

const USER = { accounts: null } as unknown as SignedIn;

/** Nothing here may reach the database. */
function dependencies(parts: Partial<ApplicationDependencies> = {}): ApplicationDependencies {
  const settings = { privateHosts: ['hooks.internal'] };
  return { dataKeys: TEST_DATA_KEYS, settings, ...parts } as unknown as ApplicationDependencies;
}

const webhook = (url: string): EndpointRequest => ({ kind: 'webhook', name: 'ops', url });

describe('an endpoint', () => {
  test.each([
    ['http://hooks.example.com/', 'name hooks.example.com in PAYRUN_NOTIFICATION_PRIVATE_HOSTS'],
    ['https://user:pass@hooks.example.com/', 'has a login in it'],
  ])('at %s is refused with what to do', async (url, message) => {
    const refused = addEndpoint(dependencies(), USER, webhook(url));
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(message) as string,
    });
  });

  test('of a webhook needs a data key, by which its secret is encrypted', async () => {
    const refused = addEndpoint(dependencies({ dataKeys: null }), USER, webhook('https://hooks.example.com/'));
    await expect(refused).rejects.toMatchObject({ code: 'unavailable' });
    await expect(refused).rejects.toThrow('PAYRUN_DATA_KEY');
  });
});

test('endpoints and deliveries are not shown to a user who is limited to accounts', async () => {
  const limited = { ...USER, accounts: ['asia'] } as SignedIn;
  const filter = { endpointId: null, state: null, limit: 1 };
  await expect(listEndpoints(dependencies(), limited)).rejects.toMatchObject({ code: 'not_allowed' });
  await expect(listDeliveries(dependencies(), limited, filter)).rejects.toMatchObject({ code: 'not_allowed' });
});
