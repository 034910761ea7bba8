/** How runs share the limit of an account. */

const SHARES = [
  { upToRows: 100, share: 6 },
  { upToRows: 1_000, share: 3 },
] as const;

/**
 * The weight of a run of so many rows where several are paid at once: their payments are begun in this proportion. A
 * small run has the larger share, so that beside a large one it takes at most half as long again as alone, also when
 * all its beneficiaries are new; the large one hardly notices it.
 */
export function fairShareOf(rows: number): number {
  return SHARES.find(({ upToRows }) => rows <= upToRows)?.share ?? 1;
}
