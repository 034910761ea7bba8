import { gapWindow, type HistoryWindow, nextWindow } from '../../domain/accounts/history-window.ts';
import type { Database } from '../../store/database/database.ts';
import { listChains } from '../../store/accounts/balance-chains.ts';
import { noteWindow, readKnownHistory } from '../../store/accounts/history-windows.ts';
import { settleLedger } from '../../store/accounts/ledger.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { callRepeatable } from '../calls/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { storeHistory } from './store-history.ts';

export interface HistoryRead {
  /** Entries that were not known. */
  added: number;
}

/**
 * Reads the changes of all balances of an account in one request, and stores them: since the last read, or where entries
 * are missing. Entries that cannot be read leave a gap and harm no others. Contract: payments 2.7, 4.5.
 */
export function readHistoryActivity({ database, provider, now }: ActivityDependencies) {
  return async function readHistory(input: {
    account: string;
    of: 'news' | 'gap';
    /** Milliseconds since the epoch: news are read from then on at least. */
    sinceMs?: number;
  }): Promise<HistoryRead> {
    const { account, sinceMs = Infinity } = input;
    const window = await windowOf(database, account, input.of, { nowMs: now(), sinceMs });
    if (window === null) return { added: 0 };
    const readAt = await beginReading(database);
    const { value } = await callRepeatable((options) =>
      provider(account).balances.historyReadable(
        { startDate: new Date(window.fromMs), ...(window.isGap ? { endDate: new Date(window.toMs) } : {}) },
        options,
      ),
    );
    const stored = await storeHistory(database, { account, isGapRead: window.isGap }, value.entries);
    const { fromMs, toMs, isGap } = window;
    const { entries, unreadable } = value;
    await noteWindow(database, {
      account,
      fromMs,
      toMs,
      isGap,
      readAt,
      entries: entries.length,
      unreadable,
      ...stored,
    });
    await settleLedger(database, account);
    return { added: stored.added };
  };
}

/** Null: no entries are missing any more. */
async function windowOf(
  database: Database,
  account: string,
  of: 'news' | 'gap',
  { nowMs, sinceMs }: { nowMs: number; sinceMs: number },
): Promise<(HistoryWindow & { isGap: boolean }) | null> {
  if (of === 'news') {
    const { fromMs, toMs } = nextWindow({ nowMs, ...(await readKnownHistory(database, account)) });
    return { fromMs: Math.min(fromMs, sinceMs), toMs, isGap: false };
  }
  const gaps = (await listChains(database, account)).flatMap(({ gap }) => (gap === null || gap.isGivenUp ? [] : [gap]));
  const [first] = gaps.sort((a, b) => a.reads - b.reads);
  return first === undefined ? null : { ...gapWindow(first), isGap: true };
}
