import { expect, onTestFinished, test } from 'vitest';
import type { ProviderAccount } from '../../config/account-settings.ts';
import { createMac } from '../../provider/mac.ts';
import type { Database } from '../../store/database/database.ts';
import { openProviderAccounts } from '../../workers/provider-accounts.ts';
import { serveAccount } from '../../workers/serve-account.ts';

/** Answers every statement with no rows. */
const EMPTY_DATABASE = { query: () => Promise.resolve({ rows: [] }) } as unknown as Database;

const anAccount = (apiUrl: string): ProviderAccount => ({
  name: 'asia',
  apiUrl,
  credentials: { apiKey: 'key', accessKeyId: 'id', secretAccessKey: 'secret' },
  requestsPerSecond: 0,
  requestsPerDay: 0,
  requestsReservedPerDay: 0,
});

async function openAccounts() {
  const options = { accounts: [], requestTimeoutMs: 1_000, now: Date.now, warn: () => undefined };
  const providers = await openProviderAccounts({ database: EMPTY_DATABASE, ...options });
  onTestFinished(() => providers.close());
  return providers;
}

test('an account that cannot be opened is not kept, and is opened with the settings of the next attempt', async () => {
  const providers = await openAccounts();
  expect(() => providers.add(anAccount('https://asia.provider.invalid?wrong'))).toThrow(RangeError);
  expect(() => providers.of('asia')).toThrow('no provider account named asia is configured');
  providers.add(anAccount('https://asia.provider.invalid'));
  expect(providers.of('asia').account).toBe('asia');
});

test('an account whose worker cannot start is closed, and opened with the settings of the next attempt', async () => {
  const providers = await openAccounts();
  const served: string[] = [];
  const failing = { add: () => Promise.reject(new Error('Temporal cannot be reached')) };
  const working = { add: ({ apiUrl }: ProviderAccount) => Promise.resolve(void served.push(apiUrl)) };
  const account = anAccount('https://old.provider.invalid');
  await expect(serveAccount(account, { providers, workers: failing })).rejects.toThrow('Temporal cannot be reached');
  expect(() => providers.of('asia')).toThrow('no provider account named asia is configured');
  const corrected = {
    ...anAccount('https://new.provider.invalid'),
    credentials: { ...account.credentials, secretAccessKey: 'new' },
  };
  await serveAccount(corrected, { providers, workers: working });
  expect(served).toEqual(['https://new.provider.invalid']);
  const mac = createMac('asia', 'new').of('payment', 'p-1');
  expect(providers.macOf('asia').matches(mac, 'payment', 'p-1')).toBe(true);
  expect(() => providers.add(corrected)).toThrow('account asia is open already');
});
