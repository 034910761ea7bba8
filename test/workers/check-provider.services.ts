import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changeProvider } from '../../application/approvals/policy.ts';
import type { ApplicationDependencies } from '../../application/application-dependencies.ts';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import { decideChangeAs } from '../../store/approvals/changes.ts';
import { isSandboxDatabase } from '../../store/users/owner-users.ts';
import type { ProviderAccount } from '../../config/account-settings.ts';
import { checkProviders } from '../../workers/check-provider.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser } from '../helpers/users.ts';
import { beLive } from '../helpers/going-live.ts';

let testDatabase: TestDatabase;

beforeEach(async () => {
  testDatabase = await createTestDatabase({ provider: 'none' });
});
afterEach(() => testDatabase.drop());

function anAccount(apiUrl: string, accessKeyId = 'key-of-production'): ProviderAccount {
  return {
    name: 'default',
    apiUrl,
    credentials: { apiKey: 'api', accessKeyId, secretAccessKey: 'secret' },
    requestsPerSecond: 5,
    requestsPerDay: 0,
    requestsReservedPerDay: 0,
  };
}

const sandboxAt = (port: number): ProviderAccount => anAccount(`http://127.0.0.1:${port}`, defaultAccount.accessKeyId);
const check = (account: ProviderAccount): Promise<void> => checkProviders(testDatabase.asWorker, [account]);

describe('the provider of a database', () => {
  test('is the one of the first worker; the port of a sandbox on this machine does not matter', async () => {
    await check(sandboxAt(4_000));
    await check(sandboxAt(5_000));
    expect(await isSandboxDatabase(testDatabase.url)).toBe(true);
  });

  test.each([
    ['a sandbox', sandboxAt(4_000), anAccount('https://api.provider.example')],
    ['another address', anAccount('https://api.provider.example'), anAccount('https://demo.provider.example')],
    ['another path', anAccount('https://api.provider.example/live'), anAccount('https://api.provider.example/test')],
    [
      'the sandbox’s key',
      anAccount('https://api.provider.example'),
      anAccount('https://api.provider.example', defaultAccount.accessKeyId),
    ],
    ['a sandbox instead', anAccount('https://api.provider.example'), sandboxAt(4_000)],
  ])('cannot be replaced: %s', async (_what, first, second) => {
    await check(first);
    await expect(check(second)).rejects.toThrow(/this database belongs to the provider at .*payrun provider change/);
    await check(first);
  });

  test('knows each account by one name alone', async () => {
    const account = anAccount('https://api.provider.example');
    await check(account);
    const renamed = { ...account, name: 'europe' };
    await expect(check(renamed)).rejects.toThrow('the account europe is the same one with the provider as default');
    const { rows } = await testDatabase.database.query('select account from provider_accounts');
    expect(rows).toEqual([{ account: 'default' }]);
    await check({ ...anAccount('https://api.provider.example', 'another-key'), name: 'europe' });
    await check(account);
  });

  test('is unknown before the first worker, and then the database accepts no example users', async () => {
    expect(await isSandboxDatabase(testDatabase.url)).toBe(false);
    await check(anAccount('https://api.provider.example'));
    expect(await isSandboxDatabase(testDatabase.url)).toBe(false);
  });

  test('is recorded with a hash of the access key id, never with a key', async () => {
    await check(anAccount('https://api.provider.example'));
    const { rows } = await testDatabase.database.query(
      `select provider_accounts::text as text from provider_accounts union all select detail::text from audit_entries`,
    );
    expect(JSON.stringify(rows)).not.toMatch(/key-of-production|secret/);
  });

  test('is changed by two administrators', async () => {
    await check(anAccount('https://old.provider.example'));
    await beLive(testDatabase.database);
    const [ada, ben] = [
      await aUser(testDatabase, 'Ada', 'administrator'),
      await aUser(testDatabase, 'Ben', 'administrator'),
    ];
    const dependencies = { database: testDatabase.asServer } as ApplicationDependencies;
    const next = anAccount('https://new.provider.example');
    const wanted = { account: 'default', apiUrl: next.apiUrl, accessKeyId: next.credentials.accessKeyId };
    const { changeId, state } = await changeProvider(dependencies, ada, wanted);
    expect(state).toBe('pending');
    await expect(check(next)).rejects.toThrow('this database belongs to');
    await decideChangeAs(testDatabase.asServer, ben.tokenHash, changeId, true);
    await check(next);
    await expect(check(sandboxAt(4_000))).rejects.toThrow('this database belongs to');
    await expect(changeProvider(dependencies, ada, { ...wanted, account: 'none' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('of a sandbox cannot be changed, and has no account of a real provider beside it', async () => {
    await check(sandboxAt(4_000));
    const ada = await aUser(testDatabase, 'Ada', 'administrator');
    const wanted = { account: 'default', apiUrl: 'https://api.provider.example', accessKeyId: 'key' };
    const dependencies = { database: testDatabase.asServer } as ApplicationDependencies;
    await expect(changeProvider(dependencies, ada, wanted)).rejects.toMatchObject({ code: 'conflict' });
    const real = { ...anAccount('https://api.provider.example'), name: 'europe' };
    await expect(check(real)).rejects.toThrow("a real provider's, and this database belongs to a sandbox");
  });

  test('that is real has no account of a sandbox beside it', async () => {
    await check(anAccount('https://api.provider.example'));
    const trial = { ...sandboxAt(4_000), name: 'trial' };
    await expect(check(trial)).rejects.toThrow("a sandbox's, and this database belongs to a real provider");
  });
});
