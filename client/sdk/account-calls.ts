import {
  type AccountBalances,
  balanceListSchema,
  type HistoryEntry,
  type HistoryPage,
  historyPageSchema,
} from '../../api/accounts/balance.ts';
import { type LedgerPage, ledgerPageSchema } from '../../api/accounts/ledger.ts';
import { type Refund, type RefundList, refundListSchema } from '../../api/accounts/refund.ts';
import type { JsonCaller } from './json-caller.ts';

/** Which balances and entries; null or absent: all. */
export interface AccountFilter {
  /** The name of an account with the provider. */
  account?: string | null;
  currency?: string | null;
}

/** Days (YYYY-MM-DD, the last one included) or times (the last one excluded), UTC. */
export interface HistoryFilter extends AccountFilter {
  from?: string | null;
  to?: string | null;
}

export interface LedgerFilter extends AccountFilter {
  /** The id of a run: only its ledger account, and those of its payments. */
  run?: string | null;
  limit?: number;
  after?: number;
}

export interface RefundFilter extends AccountFilter {
  /** The id of a run: only refunds of its payments. */
  run?: string | null;
  state?: RefundState | null;
  limit?: number;
}

/** `expected`: the provider shows it, and the history does not show its money yet. */
export type RefundState = Refund['state'];

/** Balances with the provider and their history, and what the money is meant for. */
export interface AccountCalls {
  readonly accounts: {
    /** Has the history read again if it is old: later answers show the result. */
    balances(filter?: AccountFilter): Promise<AccountBalances[]>;
    /** The newest first; pages are fetched as the entries are read. */
    history(filter?: HistoryFilter): AsyncIterable<HistoryEntry>;
    /** Ledger accounts with their balances, and transfers, the newest first. `nextAfter` is `after` of the next page. */
    ledger(filter?: LedgerFilter): Promise<LedgerPage>;
    /** Money that came back, or is expected to; the newest first. */
    refunds(filter?: RefundFilter): Promise<RefundList>;
  };
}

const PAGE_SIZE = 500;

export function accountCalls(call: JsonCaller): AccountCalls {
  return {
    accounts: {
      balances: async (filter = {}) =>
        (await call(balanceListSchema, { path: '/accounts/balances', query: { ...filter } })).accounts,
      history: (filter = {}) => allEntries(call, filter),
      ledger: (filter = {}) => call(ledgerPageSchema, { path: '/accounts/ledger', query: { ...filter } }),
      refunds: (filter = {}) => call(refundListSchema, { path: '/accounts/refunds', query: { ...filter } }),
    },
  };
}

async function* allEntries(call: JsonCaller, filter: HistoryFilter): AsyncGenerator<HistoryEntry> {
  let after: string | null = null;
  do {
    const query: Record<string, string | number | null> = { limit: PAGE_SIZE, after, ...filter };
    const page: HistoryPage = await call(historyPageSchema, { path: '/accounts/history', query });
    yield* page.entries;
    after = page.nextAfter;
  } while (after !== null);
}
