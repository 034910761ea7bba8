import { describe, expect, it } from 'vitest';
import type { ApplicationDependencies } from '../../application/application-dependencies.ts';
import { isSignedIn } from '../../application/users/sign-in.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import { TokenHash } from '../../store/users/token-hash.ts';

/** Whether a watcher of a run of `default` may go on, with this in the database now. */
function watches(holder: { why: string | null; accounts: string[] | null; roles?: string[] } | null): Promise<boolean> {
  const rows = holder === null ? [] : [{ roles: ['viewer'], ...holder }];
  const database = { query: () => Promise.resolve({ rows }) };
  const user = { tokenHash: TokenHash.of('token') } as SignedIn;
  return isSignedIn({ database } as unknown as ApplicationDependencies, user, 'default');
}

interface Rights {
  roles: string[];
  accounts: string[] | null;
}

/** Whether who came with these roles and accounts may go on watching whatever they chose, with others in the database now. */
function watchesAll(seen: Rights, now: Rights): Promise<boolean> {
  const database = { query: () => Promise.resolve({ rows: [{ why: null, ...now }] }) };
  const user = { tokenHash: TokenHash.of('token'), ...seen } as unknown as SignedIn;
  return isSignedIn({ database } as unknown as ApplicationDependencies, user, null);
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

  it('is over when the user may no longer read runs', async () => {
    expect(await watches({ why: null, accounts: null, roles: [] })).toBe(false);
  });

  it('to several things is over when the roles or accounts of the user have changed', async () => {
    const seen = { roles: ['maker', 'checker'], accounts: ['default', 'subsidiary'] };
    expect(await watchesAll(seen, { roles: ['checker', 'maker'], accounts: ['subsidiary', 'default'] })).toBe(true);
    expect(await watchesAll(seen, { roles: ['maker', 'checker'], accounts: ['default'] })).toBe(false);
    expect(await watchesAll(seen, { roles: ['maker'], accounts: ['default', 'subsidiary'] })).toBe(false);
    expect(await watchesAll({ roles: ['maker'], accounts: null }, { roles: ['maker'], accounts: ['default'] })).toBe(
      false,
    );
  });
});
