import { createPayrunClient, type PayrunClient } from '../../client/sdk/index.ts';
import type { Role } from '../../domain/users/role.ts';
import { installUser } from '../../store/users/owner-users.ts';

/** One user for each role that an evaluation needs. */
const EXAMPLES = [
  { login: 'mia', name: 'Mia Maker', role: 'maker' },
  { login: 'chris', name: 'Chris Checker', role: 'checker' },
  { login: 'tina', name: 'Tina Treasurer', role: 'treasurer' },
  { login: 'olivia', name: 'Olivia Onboarder', role: 'onboarder' },
  { login: 'ada', name: 'Ada Administrator', role: 'administrator' },
] as const satisfies { login: string; name: string; role: Role }[];

export type ExampleUser = (typeof EXAMPLES)[number] & { token: string };

/**
 * Adds users for trying payrun with the sandbox, each with a token; a second call gives them new tokens. The caller makes
 * sure that the data belongs to a sandbox: with a real provider such users could pay real money.
 */
export function addExampleUsers(ownerUrl: string, now: () => number): Promise<ExampleUser[]> {
  return Promise.all(
    EXAMPLES.map(async (user) => ({
      ...user,
      token: await installUser(ownerUrl, { ...user, roles: [user.role] }, now),
    })),
  );
}

export type ExampleClients = Record<'maker' | 'checker' | 'treasurer' | 'onboarder' | 'administrator', PayrunClient>;

/** A client for each example user at the server of a local stack. */
export async function exampleClients(ownerUrl: string, serverUrl: string): Promise<ExampleClients> {
  const users = await addExampleUsers(ownerUrl, Date.now);
  const as = (wanted: keyof ExampleClients): PayrunClient =>
    createPayrunClient({ url: serverUrl, token: users.find(({ role }) => role === wanted)?.token ?? null });
  return {
    maker: as('maker'),
    checker: as('checker'),
    treasurer: as('treasurer'),
    onboarder: as('onboarder'),
    administrator: as('administrator'),
  };
}
