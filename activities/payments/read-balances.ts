import { readBalances as readSnapshots, saveBalances } from '../../store/payments/balance-snapshots.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { callRepeatable } from '../calls/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** Reads all balances of an account in one request and saves them. Contract: payments 4.5. */
export function readBalancesActivity({ database, provider }: ActivityDependencies) {
  return async function readBalances({ account }: { account: string }): Promise<void> {
    await refreshBalances({ database, provider }, account);
  };
}

export async function refreshBalances(
  { database, provider }: Pick<ActivityDependencies, 'database' | 'provider'>,
  account: string,
): Promise<void> {
  const readAt = await beginReading(database);
  const { value: balances } = await callRepeatable((options) => provider(account).balances.findReadable(options));
  await saveBalances(database, account, readAt, balances);
}

/** Whether the balances in the database are too old to be shown to the approvers. */
export function balancesAreStaleActivity({ database, settings }: ActivityDependencies) {
  return async function balancesAreStale({ account }: { account: string }): Promise<boolean> {
    const snapshots = await readSnapshots(database, account);
    return snapshots.length === 0 || snapshots.some(({ ageMs }) => ageMs > settings.balanceMaxAgeMs);
  };
}
