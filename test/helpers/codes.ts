import { redeemInvitation } from '../../store/users/tokens.ts';
import { newCode, newToken, storedHashOf, TokenHash } from '../../store/users/token-hash.ts';
import { inviteUserAs } from '../../store/users/users.ts';
import type { TestDatabase } from './test-database.ts';
import type { TestUser } from './users.ts';

const inADay = () => new Date(Date.now() + 86_400_000);

export async function codeBy({ asServer }: TestDatabase, administrator: TestUser, userId: string): Promise<string> {
  const code = newCode();
  const codeHash = storedHashOf(TokenHash.of(code));
  await inviteUserAs(asServer, administrator.tokenHash, { userId, codeHash, expiresAt: inADay() });
  return code;
}

/** Signs in by a code. */
export async function redeemed({ asServer }: TestDatabase, code: string): Promise<Pick<TestUser, 'tokenHash'>> {
  const newTokenHash = TokenHash.of(newToken());
  await redeemInvitation(asServer, TokenHash.of(code), { newTokenHash, label: 'sign-in', expiresAt: inADay() });
  return { tokenHash: newTokenHash };
}
