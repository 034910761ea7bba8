/** The provider's statuses of a funding, as far as they are documented. Contract: account 2.7. */
const FUNDING_STATUSES = {
  awaiting_funds: { isFinal: false },
  pending: { isFinal: false },
  completed: { isFinal: true },
  failed: { isFinal: true },
} as const satisfies Readonly<Record<string, { isFinal: boolean }>>;

export type FundingStatus = keyof typeof FUNDING_STATUSES;

/** The provider shows nothing else after these. */
export const FINAL_FUNDING_STATUSES = (Object.keys(FUNDING_STATUSES) as FundingStatus[]).filter(
  (status) => FUNDING_STATUSES[status].isFinal,
);
