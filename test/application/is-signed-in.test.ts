import { describe, expect, it } from 'vitest';
import type { ApplicationDependencies } from '../../application/application-dependencies.ts';
import { isSignedIn } from '../../application/users/sign-in.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import { TokenProof } from '../../store/users/token-proof.ts';

/** Whether a watcher of a run of `default` may go on, with this in the record now. */
function watches(holder: { why: string | null; accounts: string[] | null } | null): Promise<boolean> {
  const database = { query: () => Promise.resolve({ rows: holder === null ? [] : [holder] }) };
  const user = { proof: TokenProof.of('token') } as SignedIn;
  return isSignedIn({ database } as unknown as ApplicationDependencies, user, 'default');
}

describe('a sign-in', () => {
  it('lasts while the token works and the user may use the account', async () => {
    expect(await watches({ why: null, accounts: null })).toBe(true);
    expect(await watches({ why: null, accounts: ['default', 'subsidiary'] })).toBe(true);
  });

  it('is over when the token no longer works', async () => {
    expect(await watches({ why: 'revoked', accounts: null })).toBe(false);
    expect(await watches(null)).toBe(false);
  });

  it('is over when the user may no longer use the account', async () => {
    expect(await watches({ why: null, accounts: ['subsidiary'] })).toBe(false);
  });
});
