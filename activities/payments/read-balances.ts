import { readBalances as readHeld, saveBalances } from '../../store/payments/balance-snapshots.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { callRepeatable } from './call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** Reads every balance of an account in one request. Contract: payments 4.5. */
export function readBalancesActivity({ database, provider }: ActivityDependencies) {
  return async function readBalances({ account }: { account: string }): Promise<void> {
    await keepBalances({ database, provider }, account);
  };
}

export async function keepBalances(
  { database, provider }: Pick<ActivityDependencies, 'database' | 'provider'>,
  account: string,
): Promise<void> {
  const readAt = await beginReading(database);
  const { value: balances } = await callRepeatable((options) => provider(account).balances.findReadable(options));
  await saveBalances(database, account, readAt, balances);
}

/** Whether the balances on record are too old to show to the one who approves. */
export function balancesAreStaleActivity({ database, settings }: ActivityDependencies) {
  return async function balancesAreStale({ account }: { account: string }): Promise<boolean> {
    const held = await readHeld(database, account);
    return held.length === 0 || held.some(({ ageMs }) => ageMs > settings.balanceMaxAgeMs);
  };
}
