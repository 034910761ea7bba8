import type { EarlierPayment, RunReview } from '../../domain/runs/run-finding.ts';
import { mayUse } from '../users/signed-in.ts';

/**
 * A review as somebody sees it who is limited to these accounts with the provider (null: to none). Payments from other accounts are
 * counted, and not shown.
 */
export function withinAccounts(review: RunReview | null, accounts: readonly string[] | null): RunReview | null {
  if (review === null) return null;
  // guard: earlier-within-accounts
  const isShown = ({ account }: EarlierPayment): boolean => mayUse({ accounts }, account);
  const findings = review.findings.map((finding) =>
    'earlier' in finding ? { ...finding, earlier: finding.earlier.filter(isShown) } : finding,
  );
  return { ...review, findings };
}
