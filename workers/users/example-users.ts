import type { Role } from '../../domain/role.ts';
import { hasRealProvider, type InstalledUser, installUser } from '../../store/owner-users.ts';

/** One of each role that a trial needs. */
const EXAMPLES: readonly InstalledUser[] = [
  { login: 'mia', name: 'Mia Maker', roles: ['maker'] },
  { login: 'chris', name: 'Chris Checker', roles: ['checker'] },
  { login: 'ada', name: 'Ada Administrator', roles: ['administrator'] },
];

export interface ExampleUser {
  login: string;
  name: string;
  role: Role;
  token: string;
}

/** This record belongs to a real provider, where example users could pay real money. */
export class RealProvider extends Error {
  override readonly name = 'RealProvider';
}

/** Users for trying payrun with the sandbox, each with a token. Done again, they get new tokens. @throws RealProvider */
export async function addExampleUsers(ownerUrl: string, now: () => number): Promise<ExampleUser[]> {
  if (await hasRealProvider(ownerUrl)) {
    throw new RealProvider('example users are for the sandbox alone, and this payrun belongs to a real provider');
  }
  return Promise.all(
    EXAMPLES.map(async (user) => ({
      login: user.login,
      name: user.name,
      role: user.roles[0] ?? 'viewer',
      token: await installUser(ownerUrl, user, now),
    })),
  );
}
