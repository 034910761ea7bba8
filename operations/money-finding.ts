import type { BalanceView } from '../store/accounts/balance-views.ts';
import type { Finding } from './finding.ts';

/** What people should look at in the money of the accounts: histories that cannot be followed, and alarms. Null: nothing is known. */
export function moneyFinding(balances: readonly BalanceView[]): Finding | null {
  const known = balances.filter(({ lastAmount }) => lastAmount !== null);
  if (known.length === 0) return null;
  const problems = known.flatMap(({ account, currency, unfollowedSince, alarms }) => [
    ...(unfollowedSince === null ? [] : [`the history of ${currency} on ${account} lacks entries`]),
    ...alarms.map((alarm) => problemOf(`${currency} on ${account}`, alarm)),
  ]);
  if (problems.length > 0) {
    return { subject: 'money', problem: `${problems.join('; ')}. See payrun accounts balances`, detail: '' };
  }
  const followed = known.map(({ account, currency }) => `${currency} on ${account}`).join(', ');
  return { subject: 'money', problem: null, detail: `its history is followed: ${followed}` };
}

function problemOf(currency: string, { kind, ledgerAccount }: BalanceView['alarms'][number]): string {
  switch (kind) {
    case 'free_negative':
      return `others have taken more ${currency} than was free`;
    case 'debit_not_found':
      return `the history of ${currency} has no debit of ${ledgerAccount}`;
    case 'debit_of_unpaid':
      return `${currency} was taken for ${ledgerAccount}, whose state says that it is not paid`;
  }
}
