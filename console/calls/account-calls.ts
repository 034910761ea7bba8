import type { AccountBalances, HistoryPage } from '../../api/accounts/balance.ts';
import type { LedgerPage } from '../../api/accounts/ledger.ts';
import { call, type ConsoleCall } from './call.ts';

type Query = NonNullable<ConsoleCall['query']>;

export async function listBalances(signal: AbortSignal): Promise<AccountBalances[]> {
  return (await call<{ accounts: AccountBalances[] }>({ path: '/accounts/balances', signal })).accounts;
}

export function listHistory(query: Query, signal: AbortSignal): Promise<HistoryPage> {
  return call<HistoryPage>({ path: '/accounts/history', query, signal });
}

export function listLedger(query: Query, signal: AbortSignal): Promise<LedgerPage> {
  return call<LedgerPage>({ path: '/accounts/ledger', query, signal });
}
