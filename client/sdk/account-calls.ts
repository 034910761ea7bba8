import {
  type AccountBalances,
  balanceListSchema,
  type HistoryEntry,
  type HistoryPage,
  historyPageSchema,
} from '../../api/accounts/balance.ts';
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

/** Balances with the provider and their history. */
export interface AccountCalls {
  readonly accounts: {
    /** Has the history read again if it is old: later answers show the result. */
    balances(filter?: AccountFilter): Promise<AccountBalances[]>;
    /** The newest first; pages are fetched as the entries are read. */
    history(filter?: HistoryFilter): AsyncIterable<HistoryEntry>;
  };
}

const PAGE_SIZE = 500;

export function accountCalls(call: JsonCaller): AccountCalls {
  return {
    accounts: {
      balances: async (filter = {}) =>
        (await call(balanceListSchema, { path: '/accounts/balances', query: { ...filter } })).accounts,
      history: (filter = {}) => allEntries(call, filter),
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
