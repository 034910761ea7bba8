import { describe, expect, it } from 'vitest';
import type { ApplicationDependencies } from '../../application/application-dependencies.ts';
import { accountOf } from '../../application/runs/account-of-submission.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';

/** With `default` and `subsidiary` configured, unless said otherwise. Collects what is written to the audit trail. */
function submit(
  accounts: readonly string[] | null,
  name: string | null,
  names: readonly string[] = ['subsidiary', 'default'],
) {
  const audit: unknown[][] = [];
  const database = { query: (_statement: string, values: unknown[]) => Promise.resolve(audit.push(values)) };
  const configured = names.map((each) => ({ name: each }));
  const dependencies = { database, accounts: configured } as unknown as ApplicationDependencies;
  const user = { userId: 'user-1', tokenId: 'token-1', accounts } as unknown as SignedIn;
  return { account: accountOf(dependencies, user, name), audit };
}

describe('the account of a submission', () => {
  it.each<[what: string, accounts: string[] | null, name: string | null, account: string]>([
    ['the one called default for a user without a limit, wherever it is in the file', null, null, 'default'],
    ['the named one for a user without a limit', null, 'subsidiary', 'subsidiary'],
    ['the only one of a user who is limited to it', ['subsidiary'], null, 'subsidiary'],
    ['the named one of a user who is limited to several', ['default', 'subsidiary'], 'subsidiary', 'subsidiary'],
  ])('is %s', async (_what, accounts, name, account) => {
    expect(await submit(accounts, name).account).toBe(account);
  });

  it('is the only one that is configured', async () => {
    expect(await submit(null, null, ['europe']).account).toBe('europe');
  });

  it('must be named where several are configured and none is called default', async () => {
    await expect(submit(null, null, ['europe', 'asia']).account).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'name the account to pay from: europe, asia',
    });
  });

  it('must be named by a user who is limited to several', async () => {
    await expect(submit(['default', 'subsidiary'], null).account).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'name the account to pay from: you may use default, subsidiary',
    });
  });

  it('is not another one than a user is limited to, which is recorded', async () => {
    for (const name of ['default', 'not-configured']) {
      const { account, audit } = submit(['subsidiary'], name);
      await expect(account).rejects.toMatchObject({ code: 'not_allowed' });
      expect(JSON.stringify(audit)).toContain('access_refused');
    }
  });

  it('is a configured one; a user who is limited is not told which others there are', async () => {
    await expect(submit(null, 'third').account).rejects.toThrow('configured are: subsidiary, default');
    const removed = submit(['subsidiary', 'removed'], 'removed').account;
    await expect(removed).rejects.toThrow(/configured are: subsidiary$/);
  });
});
