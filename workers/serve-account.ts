import type { ProviderAccount } from '../config/account-settings.ts';
import type { ProviderAccounts } from './provider-accounts.ts';
import type { RunningWorkers } from './start-worker.ts';

/**
 * Opens an account while the workers run, and serves it. An account that cannot be served is closed again, so that the next
 * attempt opens it with the settings of that time.
 */
export async function serveAccount(
  account: ProviderAccount,
  { providers, workers }: { providers: Pick<ProviderAccounts, 'add' | 'remove'>; workers: Pick<RunningWorkers, 'add'> },
): Promise<void> {
  providers.add(account);
  try {
    await workers.add(account);
  } catch (error) {
    await providers.remove(account.name);
    throw error;
  }
}
