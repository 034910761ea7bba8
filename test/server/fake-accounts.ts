import {
  type AccountBalances,
  type BalanceQuery,
  type HistoryEntry,
  type HistoryPage,
  type HistoryQuery,
  pageEndOf,
} from '../../api/accounts/balance.ts';
import type { LedgerPage, LedgerQuery } from '../../api/accounts/ledger.ts';
import type { AccountsApplication } from '../../application/accounts/accounts-api.ts';
import { mayUse, type SignedIn } from '../../application/users/signed-in.ts';
import { FakeSchedules } from './fake-schedules.ts';

/** Balances and their history over plain memory. */
export class FakeAccounts extends FakeSchedules implements AccountsApplication {
  balances: AccountBalances[] = [];
  entries: HistoryEntry[] = [];
  ledger: Pick<LedgerPage, 'balances' | 'transfers'> = { balances: [], transfers: [] };
  readonly historyQueries: HistoryQuery[] = [];

  async listBalances(user: SignedIn, { account }: BalanceQuery): Promise<AccountBalances[]> {
    await this.meet('listBalances');
    return this.balances.filter((one) => mayUse(user, one.account) && (account === null || one.account === account));
  }

  async readLedger(user: SignedIn, { limit, after }: LedgerQuery): Promise<LedgerPage> {
    await this.meet('readLedger');
    const { balances, transfers } = this.ledger;
    const mine = transfers.filter(({ account, transferId }) => mayUse(user, account) && transferId < after);
    const shown = mine.slice(0, limit);
    return {
      balances: balances.filter(({ account }) => mayUse(user, account)),
      transfers: shown,
      nextAfter: mine.length > limit ? (shown.at(-1)?.transferId ?? null) : null,
    };
  }

  async listHistory(user: SignedIn, query: HistoryQuery): Promise<HistoryPage> {
    await this.meet('listHistory');
    this.historyQueries.push(query);
    const mine = this.entries.filter(({ account }) => mayUse(user, account));
    const start = query.after === null ? 0 : mine.findIndex(({ entryId }) => entryId === query.after?.entryId) + 1;
    const entries = mine.slice(start, start + query.limit);
    const last = start + query.limit < mine.length ? entries.at(-1) : undefined;
    return { entries, nextAfter: last === undefined ? null : pageEndOf(last) };
  }
}
