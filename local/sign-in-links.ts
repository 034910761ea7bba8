import { signInLink } from '../domain/users/sign-in-link.ts';
import { Refused } from '../store/database/call-as-user.ts';
import {
  hasUsers,
  installLink,
  inviteAdministrator,
  isSandboxDatabase,
  isUntouched,
  listExampleLogins,
} from '../store/users/owner-users.ts';
import { addExampleUsers } from './demo/example-users.ts';

/** One-time links that `payrun up` prints, so that somebody is signed in at the console within a minute. */

export interface SignInLink {
  login: string;
  name: string;
  url: string;
}

const FIRST_ADMINISTRATOR = { login: 'admin', name: 'Administrator' };

/** A link for each example user of a sandbox; they are added if there are no users yet. */
export async function exampleLinks(ownerUrl: string, serverUrl: string, now: () => number): Promise<SignInLink[]> {
  // With a real provider such users could pay real money.
  if (!(await isSandboxDatabase(ownerUrl))) return [];
  if (!(await hasUsers(ownerUrl))) await addExampleUsers(ownerUrl, now);
  const users = await listExampleLogins(ownerUrl);
  return Promise.all(
    users.map(async ({ login, name }) => {
      const code = await installLink(ownerUrl, login, now);
      return { login, name, url: signInLink(serverUrl, code) };
    }),
  );
}

/** A link for the first administrator, until somebody has signed in; null afterwards. */
export async function firstAdministratorLink(
  ownerUrl: string,
  serverUrl: string,
  now: () => number,
): Promise<SignInLink | null> {
  if (!(await isUntouched(ownerUrl, FIRST_ADMINISTRATOR.login))) return null;
  try {
    const { code } = await inviteAdministrator(ownerUrl, { ...FIRST_ADMINISTRATOR, recover: false }, now);
    return { ...FIRST_ADMINISTRATOR, url: signInLink(serverUrl, code) };
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}
