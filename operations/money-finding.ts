import type { BalanceView } from '../store/accounts/balance-views.ts';
import type { Finding } from './finding.ts';

/** What people should look at in the money of the accounts: histories that cannot be followed, and alarms. Null: nothing is known. */
export function moneyFinding(balances: readonly BalanceView[]): Finding | null {
  const known = balances.filter(({ lastAmount }) => lastAmount !== null);
  if (known.length === 0) return null;
  const problems = known.flatMap(({ account, currency, unfollowedSince, alarms }) => [
    ...(unfollowedSince === null ? [] : [`the history of ${currency} on ${account} lacks entries`]),
    ...alarms.map(({ kind, ledgerAccount }) =>
      kind === 'free_negative'
        ? `others have taken more ${currency} on ${account} than was free`
        : `the history of ${currency} on ${account} has no debit of ${ledgerAccount}`,
    ),
  ]);
  if (problems.length > 0) {
    return { subject: 'money', problem: `${problems.join('; ')}. See payrun accounts balances`, detail: '' };
  }
  const followed = known.map(({ account, currency }) => `${currency} on ${account}`).join(', ');
  return { subject: 'money', problem: null, detail: `its history is followed: ${followed}` };
}
