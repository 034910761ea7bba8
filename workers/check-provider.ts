import type { Database } from '../store/database/database.ts';
import { providerIdentityOf, recordProvider } from '../store/accounts/provider-accounts.ts';
import { defaultAccount } from '../sandbox/config/defaults.ts';
import type { ProviderAccount } from '../config/account-settings.ts';

/**
 * The record belongs to one provider and one account there; payments that were made with another would be taken for its
 * own. The first worker says which. @throws Error naming both, when this worker has another
 */
export async function checkProviders(database: Database, accounts: readonly ProviderAccount[]): Promise<void> {
  for (const { name, apiUrl, credentials } of accounts) {
    const { accessKeyId } = credentials;
    const isSandbox = accessKeyId === defaultAccount.accessKeyId;
    const mine = providerIdentityOf({ account: name, apiUrl, accessKeyId });
    const recorded = await recordProvider(database, { ...mine, isSandbox });
    if (recorded.apiAddress === mine.apiAddress && recorded.accessKey === mine.accessKey) continue;
    const what = recorded.apiAddress === mine.apiAddress ? 'another access key of it' : mine.apiAddress;
    throw new Error(
      `this database belongs to the provider at ${recorded.apiAddress} (account ${name}), and this worker is configured ` +
        `for ${what}: use a database of its own; or, if the provider's address or key has changed, have two ` +
        'administrators say so: payrun provider change',
    );
  }
}
