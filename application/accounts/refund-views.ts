import type { RefundList, RefundQuery } from '../../api/accounts/refund.ts';
import { mayAny } from '../../domain/users/role.ts';
import { listRefunds as listStoredRefunds } from '../../store/accounts/refund-views.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { iso } from '../iso-time.ts';
import { accountsOf, type SignedIn } from '../users/signed-in.ts';

/** Refunds of the accounts that the user may use, the newest first. The provider's remarks may name people. */
export async function listRefunds(
  { database }: ApplicationDependencies,
  user: SignedIn,
  { account, currency, run, state, limit }: RefundQuery,
): Promise<RefundList> {
  const filter = { accounts: accountsOf(user, account), currency, runId: run, state, limit: limit + 1 };
  const refunds = await listStoredRefunds(database, filter);
  const mayReadRemarks = mayAny(user.roles, 'read_instructions');
  return {
    refunds: refunds.slice(0, limit).map((refund) => ({
      ...refund,
      remarks: mayReadRemarks ? refund.remarks : null,
      firstSeenAt: refund.firstSeenAt.toISOString(),
      creditedAt: iso(refund.creditedAt),
    })),
    hasMore: refunds.length > limit,
  };
}
