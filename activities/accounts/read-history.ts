import { gapRange, type HistoryRange, nextRange } from '../../domain/accounts/history-range.ts';
import type { Database } from '../../store/database/database.ts';
import { listChains } from '../../store/accounts/balance-chains.ts';
import { noteRange, readKnownHistory } from '../../store/accounts/history-ranges.ts';
import { releaseEndedCommitments } from '../../store/accounts/ledger.ts';
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
    const range = await rangeOf(database, account, input.of, { nowMs: now(), sinceMs });
    if (range === null) return { added: 0 };
    const readAt = await beginReading(database);
    const { value } = await callRepeatable((options) =>
      provider(account).balances.historyReadable(
        { startDate: new Date(range.fromMs), ...(range.isGap ? { endDate: new Date(range.toMs) } : {}) },
        options,
      ),
    );
    const stored = await storeHistory(database, { account, isGapRead: range.isGap }, value.entries);
    const { fromMs, toMs, isGap } = range;
    const { entries, unreadable } = value;
    await noteRange(database, {
      account,
      fromMs,
      toMs,
      isGap,
      readAt,
      entries: entries.length,
      unreadable,
      ...stored,
    });
    await releaseEndedCommitments(database, account);
    return { added: stored.added };
  };
}

/** Null: no entries are missing any more. */
async function rangeOf(
  database: Database,
  account: string,
  of: 'news' | 'gap',
  { nowMs, sinceMs }: { nowMs: number; sinceMs: number },
): Promise<(HistoryRange & { isGap: boolean }) | null> {
  if (of === 'news') {
    const { fromMs, toMs } = nextRange({ nowMs, ...(await readKnownHistory(database, account)) });
    return { fromMs: Math.min(fromMs, sinceMs), toMs, isGap: false };
  }
  const gaps = (await listChains(database, account)).flatMap(({ gap }) => (gap === null || gap.isGivenUp ? [] : [gap]));
  const [first] = gaps.sort((a, b) => a.reads - b.reads);
  return first === undefined ? null : { ...gapRange(first), isGap: true };
}
