import { type ProviderAccount, SANDBOX_CREDENTIALS } from '../config/account-settings.ts';
import { isSameProvider, providerIdentityOf, recordProvider } from '../store/accounts/provider-accounts.ts';
import type { Database } from '../store/database/database.ts';

/**
 * Each account of a database belongs to one account with one provider, recorded by the first worker that has it: with another
 * one, payrun would look up its payments where they do not exist. @throws Error naming both, when this worker has another one
 */
export async function checkProviders(database: Database, accounts: readonly ProviderAccount[]): Promise<void> {
  for (const { name, apiUrl, credentials } of accounts) {
    const { accessKeyId } = credentials;
    const isSandbox = accessKeyId === SANDBOX_CREDENTIALS.accessKeyId;
    const mine = providerIdentityOf({ account: name, apiUrl, accessKeyId });
    const recorded = await recordProvider(database, { ...mine, isSandbox });
    if (recorded === null) {
      throw new Error(
        isSandbox
          ? `the account ${name} is a sandbox's, and this database belongs to a real provider: use a database of its own`
          : `the account ${name} is a real provider's, and this database belongs to a sandbox: use a database of its own`,
      );
    }
    if (recorded.account !== name) {
      throw new Error(
        `the account ${name} is the same one with the provider as ${recorded.account}, by which this database knows it: ` +
          'two names would spend its limit twice, and hide duplicates: keep the name of before',
      );
    }
    if (isSameProvider(recorded, mine)) continue;
    const what = recorded.apiAddress === mine.apiAddress ? 'another access key of it' : mine.apiAddress;
    throw new Error(
      `this database belongs to the provider at ${recorded.apiAddress} (account ${name}), and this worker is configured ` +
        `for ${what}: use a database of its own; or, if the provider's address or key has changed, have two ` +
        'administrators change it: payrun provider change',
    );
  }
}
