import type { SignedIn } from '../../application/users/signed-in.ts';
import type { Role } from '../../domain/users/role.ts';
import type { Database } from '../../store/database/database.ts';
import { installUser } from '../../store/users/owner-users.ts';
import { TokenProof } from '../../store/users/token-proof.ts';
import { holderOfToken } from '../../store/users/users.ts';

export interface TestUser extends SignedIn {
  /** As it goes with a request. */
  token: string;
}

/** A user of the record with these roles, who is signed in. The login is made from the name. */
export async function aUser(
  { url, database }: { url: string; database: Database },
  name: string,
  ...roles: Role[]
): Promise<TestUser> {
  const login = name.toLowerCase().replace(/[^a-z0-9]+/g, '.');
  const token = await installUser(url, { login, name, roles }, Date.now);
  const proof = TokenProof.of(token);
  const holder = await holderOfToken(database, proof);
  if (holder === null || 'why' in holder) throw new Error('a user that was installed cannot sign in');
  return { ...holder, proof, token };
}
