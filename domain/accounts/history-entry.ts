import { canonicalJson } from '../canonical-json.ts';
import { contentSha256 } from '../sha256.ts';
import { canonicalAmount } from '../money.ts';

/**
 * One change of a balance, from the provider's history. The change is `amountAfter` minus `amountBefore`; the sign of
 * the provider's own total is not documented. Contract: payments 2.7.
 */
export interface HistoryEntry {
  /** Identifies the entry in its account and currency; see `identifyEntries`. */
  entryId: string;
  /** As the provider sends it, with or without zone (none means UTC), or milliseconds since the epoch. */
  date: string | number;
  currency: string;
  /** Decimal strings. */
  amountBefore: string;
  amountAfter: string;
  /** Free text of the provider, which may be empty. */
  type: string;
}

/** `providerId` is the entry's own id, never `transactionId`: both entries of a conversion may have the same. */
export type UnidentifiedEntry = Omit<HistoryEntry, 'entryId'> & { providerId: string | null };

/**
 * Gives every entry of one answer of the provider its id: the provider's, else a hash of the fields with an ordinal. Two
 * answers that overlap give an entry the same id, whatever the order in them: entries with equal fields have equal dates,
 * so a range contains all of them or none.
 */
export function identifyEntries<Entry extends UnidentifiedEntry>(answer: readonly Entry[]): (Entry & HistoryEntry)[] {
  const counts = new Map<string, number>();
  return answer.map((entry) => {
    if (entry.providerId !== null && entry.providerId !== '') return { ...entry, entryId: entry.providerId };
    const hash = hashOfFields(entry);
    const ordinal = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, ordinal);
    return { ...entry, entryId: `${hash}#${ordinal}` };
  });
}

function hashOfFields({ date, currency, amountBefore, amountAfter, type }: UnidentifiedEntry): string {
  const amounts = [amountBefore, amountAfter].map(canonicalAmount);
  return contentSha256(canonicalJson([String(date), currency, ...amounts, type]));
}
