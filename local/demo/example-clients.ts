import { createPayrunClient, type PayrunClient } from '../../client/sdk/index.ts';
import { addExampleUsers } from './example-users.ts';

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
