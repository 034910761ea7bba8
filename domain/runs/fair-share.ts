/** How runs share the rate limit of an account. What onboarding has of it beside them: request-priority.ts. */

const SHARES = [
  { upToRows: 100, share: 6 },
  { upToRows: 1_000, share: 3 },
] as const;

/**
 * The weight of a run of this size when several runs are paid at once: their payments begin in this proportion. Small
 * runs have a larger share: beside a large run, a small one takes at most half as long again as alone, even if all its
 * beneficiaries are new, and the large one is hardly delayed.
 */
export function fairShareOf(rows: number): number {
  return SHARES.find(({ upToRows }) => rows <= upToRows)?.share ?? 1;
}
