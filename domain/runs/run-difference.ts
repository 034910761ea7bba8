/** How a run differs from the last paid one of its kind, by payee, currency and side. In alphabetical order, as pages are. */
export const DIFFERENCE_KINDS = ['account_changed', 'amount_changed', 'missing', 'new'] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

export const DIFFERENCE_IN_WORDS: Readonly<Record<DifferenceKind, string>> = {
  account_changed: 'another account',
  amount_changed: 'another amount',
  missing: 'missing',
  new: 'new',
};

/** "2 new, 1 missing; 40 as before", for the same sentence everywhere. */
export function differencesInWords(counts: Readonly<Partial<Record<DifferenceKind | 'same', number>>>): string {
  const parts = DIFFERENCE_KINDS.filter((kind) => (counts[kind] ?? 0) > 0).map(
    (kind) => `${counts[kind] ?? 0} ${DIFFERENCE_IN_WORDS[kind]}`,
  );
  return `${parts.length === 0 ? 'no differences' : parts.join(', ')}; ${counts.same ?? 0} as before`;
}
