/** How a run differs from the last paid one of its kind, by payee, currency and side. In alphabetical order, as pages are. */
export const DIFFERENCE_KINDS = ['account_changed', 'amount_changed', 'held', 'missing', 'new'] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

export const DIFFERENCE_IN_WORDS: Readonly<Record<DifferenceKind, string>> = {
  account_changed: 'another account',
  amount_changed: 'another amount',
  held: 'on hold',
  missing: 'missing',
  new: 'new',
};

/** "2 new, 1 missing; 40 about as before", for the same sentence everywhere. */
export function differencesInWords(counts: Readonly<Partial<Record<DifferenceKind | 'same', number>>>): string {
  const parts = DIFFERENCE_KINDS.filter((kind) => (counts[kind] ?? 0) > 0).map(
    (kind) => `${counts[kind] ?? 0} ${DIFFERENCE_IN_WORDS[kind]}`,
  );
  return `${parts.length === 0 ? 'no differences' : parts.join(', ')}; ${counts.same ?? 0} about as before`;
}

/** By how much an amount of the same payee has changed, such as "+60 %". Null: nothing was paid before. */
export function changeInPercent(before: string, now: string): string | null {
  if (!/[1-9]/.test(before)) return null;
  const percent = Math.round((Number(now) / Number(before) - 1) * 100);
  return `${percent < 0 ? '\u2212' : '+'}${Math.abs(percent)} %`;
}
