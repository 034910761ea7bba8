import { type HistoryEntry, identifyEntries } from '../../domain/accounts/history-entry.ts';
import { INVERSION_MS } from '../../domain/accounts/history-order.ts';
import { MAX_GAP_READS, RESTART_AFTER_MS } from '../../domain/accounts/history-range.ts';
import {
  firstMissed,
  leadingToStart,
  placeAfterGaps,
  placeEntries,
  type Placement,
} from '../../domain/accounts/place-entries.ts';
import { compareAmounts, withoutFloatNoise } from '../../domain/money.ts';
import type { ProviderClient } from '../../provider/client.ts';
import type { Database } from '../../store/database/database.ts';
import {
  type BalanceChain,
  type EntriesToStore,
  findStored,
  listChains,
  listUnplaced,
  readChainEnd,
  type StoredEntry,
  storeEntries,
} from '../../store/accounts/balance-chains.ts';

type ShownEntry = Awaited<ReturnType<ProviderClient['balances']['historyReadable']>>['entries'][number];

/** Another worker has stored entries meanwhile: then they are placed again. */
const MAX_TRIES = 20;

interface Read {
  account: string;
  isGapRead: boolean;
}

/** Stores what a read has shown, each currency by itself. A repeated read stores nothing. */
export async function storeHistory(
  database: Database,
  read: Read,
  shown: readonly ShownEntry[],
): Promise<{ added: number; conflicting: number }> {
  const byCurrency = new Map<string, StoredEntry[]>();
  for (const entry of identifyEntries(shown.map(entryOf))) {
    const others = byCurrency.get(entry.currency);
    if (others === undefined) byCurrency.set(entry.currency, [entry]);
    else others.push(entry);
  }
  // A gap that a read did not help with is noted, whatever the read has shown.
  for (const { currency, gap } of await listChains(database, read.account)) {
    if (gap !== null && !byCurrency.has(currency)) byCurrency.set(currency, []);
  }
  const result = { added: 0, conflicting: 0 };
  for (const [currency, entries] of byCurrency) {
    const { added, conflicting } = await storeCurrency(database, read, currency, entries);
    result.added += added;
    result.conflicting += conflicting;
  }
  return result;
}

function entryOf(entry: ShownEntry) {
  const { id, currency, amountBefore, amountAfter, totalAmount, transactionId, transactionType, date } = entry;
  return {
    providerId: id,
    currency,
    amountBefore: withoutFloatNoise(amountBefore),
    amountAfter: withoutFloatNoise(amountAfter),
    total: totalAmount === null ? null : withoutFloatNoise(totalAmount),
    transactionId,
    type: transactionType ?? '',
    date: date.epochMs,
    dateGiven: date.raw,
  };
}

async function storeCurrency(
  database: Database,
  { account, isGapRead }: Read,
  currency: string,
  shown: readonly StoredEntry[],
): Promise<{ added: number; conflicting: number }> {
  const key = { account, currency };
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const chain = (await listChains(database, account)).find((one) => one.currency === currency) ?? null;
    const known = new Map(
      (
        await findStored(
          database,
          key,
          shown.map(({ entryId }) => entryId),
        )
      ).map((entry) => [entry.entryId, entry]),
    );
    const added = withoutRepeats(shown.filter(({ entryId }) => !known.has(entryId)));
    const conflicting = shown.filter((entry) => differs(entry, known.get(entry.entryId))).length;
    if (added.length === 0 && (chain === null || chain.gap === null || !isGapRead)) return { added: 0, conflicting };
    const candidates = [...(await listUnplaced(database, key)), ...added];
    const placed = await placementOf(database, account, chain, candidates);
    const maxGapReads = MAX_GAP_READS;
    if (await storeEntries(database, { ...key, added, isGapRead, maxGapReads, ...placed })) {
      return { added: added.length, conflicting };
    }
  }
  throw new Error(`the history of ${currency} has changed with every attempt to store it`);
}

type Placed = Pick<EntriesToStore, 'version' | 'from' | 'order' | 'disregarded' | 'gapUntilMs' | 'isRestart'>;

async function placementOf(
  database: Database,
  account: string,
  chain: BalanceChain | null,
  candidates: readonly StoredEntry[],
): Promise<Placed> {
  if (chain === null) return storable(0, placeEntries({ from: 1, balance: null, tail: [] }, candidates), []);
  const since = candidates.filter(({ date }) => date >= chain.startedMs - INVERSION_MS);
  const firstMs = since.reduce((least, { date }) => Math.min(least, date), Infinity);
  const end = await readChainEnd(database, account, chain, firstMs - INVERSION_MS);
  const placement = placeEntries(end, since);
  const start = { balance: chain.startedAmount, latestMs: chain.startedMs - 1 };
  const before = [
    ...candidates.filter(({ date }) => date < chain.startedMs - INVERSION_MS),
    ...leadingToStart(start, leftOf(since, placement)),
  ];
  const gapUntilMs = firstMissed(without(since, before), placement);
  if (gapUntilMs === null || chain.gap === null || chain.gap.forMs < RESTART_AFTER_MS) {
    return storable(chain.version, { ...placement, gapUntilMs }, before);
  }
  const older = [...before, ...olderThanItsEnd(chain, chain.gap.afterMs, leftOf(without(since, before), placement))];
  const later = without(since, older);
  if (firstMissed(later, placement) === null) {
    return storable(chain.version, { ...placement, gapUntilMs: null }, older);
  }
  const order = placeAfterGaps(later);
  const restart = { from: chain.lastPosition + 1, order, copies: [], gapUntilMs: null };
  const isLater = new Set(order);
  return {
    ...storable(
      chain.version,
      restart,
      candidates.filter((entry) => !isLater.has(entry)),
    ),
    isRestart: true,
  };
}

const without = (entries: readonly StoredEntry[], others: readonly StoredEntry[]): StoredEntry[] =>
  entries.filter((entry) => !others.includes(entry));

const leftOf = (entries: readonly StoredEntry[], { order, copies }: Placement<StoredEntry>): StoredEntry[] =>
  without(entries, [...order, ...copies]);

/**
 * What is dated before the last entry that has a place, and has none: nothing is missing before that one, so it never gets
 * one. So does what leads to the start, and is dated as that is.
 */
function olderThanItsEnd(chain: BalanceChain, lastMs: number, left: readonly StoredEntry[]): StoredEntry[] {
  const start = { balance: chain.startedAmount, latestMs: chain.startedMs + INVERSION_MS };
  return [...new Set([...leadingToStart(start, left), ...left.filter(({ date }) => date < lastMs - INVERSION_MS)])];
}

function storable(
  version: number,
  { from, order, copies, gapUntilMs }: Placement<StoredEntry>,
  before: readonly StoredEntry[],
): Placed {
  const disregarded = Object.fromEntries([
    ...copies.map(({ entryId }) => [entryId, 'copy'] as const),
    ...before.map(({ entryId }) => [entryId, 'before_start'] as const),
  ]);
  return { version, from, order: order.map(({ entryId }) => entryId), disregarded, gapUntilMs, isRestart: false };
}

function differs(entry: HistoryEntry, known: HistoryEntry | undefined): boolean {
  return (
    known !== undefined &&
    (compareAmounts(entry.amountBefore, known.amountBefore) !== 0 ||
      compareAmounts(entry.amountAfter, known.amountAfter) !== 0)
  );
}

/** The first of each id: an answer may contain an entry twice. */
function withoutRepeats(entries: readonly StoredEntry[]): StoredEntry[] {
  return [...new Map(entries.toReversed().map((entry) => [entry.entryId, entry])).values()].toReversed();
}
