/**
 * How requests share the rate limit of an account: those with the lower number are sent first; those with the same number in
 * proportion to the weights of their keys. The weight of a run is `fairShareOf`.
 */

/**
 * Payments that are already begun come first. Preparation and quotes of all runs share one priority, so that a run with new
 * beneficiaries does not wait for all quotes of another run. `interactive`: somebody waits for the answer. `indicate`: nobody waits long for it, so it delays nothing else.
 */
export const PAYMENT_PRIORITY = { lookup: 1, fund: 1, interactive: 2, create: 2, prepare: 3, indicate: 5 } as const;

/**
 * Onboarding shares the priority of new payments, and has at most a seventh of an account's requests beside them: for each
 * payment that a run begins (three requests) at most half a request of onboarding, as its weights are together half of the
 * smallest run's. Of these, nine in ten are for applicants who are signed up already: the next one is signed up when the one
 * before is nearly done, and if users cannot be read, few were signed up. Reads that no webhook asked for come last of all.
 */
export const ONBOARDING_PRIORITY = {
  signUp: { priorityKey: 3, fairnessKey: 'onboarding/sign-up', fairnessWeight: 0.05 },
  prepare: { priorityKey: 3, fairnessKey: 'onboarding', fairnessWeight: 0.45 },
  lookup: { priorityKey: 3, fairnessKey: 'onboarding', fairnessWeight: 0.45 },
  poll: { priorityKey: 4, fairnessKey: 'onboarding', fairnessWeight: 0.45 },
} as const;

/**
 * The history of balances comes after all payments. While payments are sent, wait for money, or somebody looks at it, a busy
 * account must not keep it from being read: then it has a share beside new payments, as onboarding has.
 */
export const HISTORY_PRIORITY = {
  waitedFor: { priorityKey: 3, fairnessKey: 'history', fairnessWeight: 0.45 },
  last: { priorityKey: 5, fairnessKey: 'history', fairnessWeight: 0.45 },
} as const;

/** Conversions come after payments that are begun, and have a share beside new ones, as onboarding has. */
export const CONVERSION_PRIORITY = { priorityKey: 3, fairnessKey: 'conversions', fairnessWeight: 0.45 } as const;

/** How runs share the rate limit of an account. */
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
