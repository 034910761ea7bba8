import type {
  DepositList,
  DepositQuery,
  FundingList,
  FundingQuery,
  ReceiptAssignment,
  ReceiptList,
  ReceiptQuery,
} from '../../api/accounts/receipt.ts';
import type { RefundList, RefundQuery } from '../../api/accounts/refund.ts';
import * as store from '../../store/accounts/receipt-views.ts';
import { assignReceiptAs } from '../../store/accounts/receipts.ts';
import { listRefunds as listStoredRefunds } from '../../store/accounts/refund-views.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { asApplicationError } from '../as-application-error.ts';
import { iso } from '../iso-time.ts';
import { accountsOf, mayRead, type SignedIn } from '../users/signed-in.ts';
import { watchMoney } from './watch-money.ts';

/** Deposits, fundings and receipts of the accounts that the user may use, the newest first. */

export async function listDeposits(
  { database }: ApplicationDependencies,
  user: SignedIn,
  { account, state, limit }: DepositQuery,
): Promise<DepositList> {
  const deposits = await store.listDeposits(database, { accounts: accountsOf(user, account), state, limit: limit + 1 });
  return {
    deposits: deposits.slice(0, limit).map((deposit) => ({
      ...deposit,
      reportedAt: deposit.reportedAt.toISOString(),
      confirmedAt: iso(deposit.confirmedAt),
    })),
    hasMore: deposits.length > limit,
  };
}

/** References are free text of whoever sends the money. */
export async function listFundings(
  { database }: ApplicationDependencies,
  user: SignedIn,
  { account, currency, status, limit }: FundingQuery,
): Promise<FundingList> {
  const filter = { accounts: accountsOf(user, account), currency, status, limit: limit + 1 };
  const fundings = await store.listFundings(database, filter);
  const mayReadReferences = mayRead(user, 'read_instructions');
  return {
    fundings: fundings.slice(0, limit).map((funding) => ({
      ...funding,
      reference: mayReadReferences ? funding.reference : null,
      firstSeenAt: funding.firstSeenAt.toISOString(),
      creditedAt: iso(funding.creditedAt),
    })),
    hasMore: fundings.length > limit,
  };
}

export async function listReceipts(
  { database }: ApplicationDependencies,
  user: SignedIn,
  { account, currency, all, limit }: ReceiptQuery,
): Promise<ReceiptList> {
  const filter = { accounts: accountsOf(user, account), currency, all, limit: limit + 1 };
  const receipts = await store.listReceipts(database, filter);
  return {
    receipts: receipts.slice(0, limit).map(({ assignedBy, assignedAt, reason, ...receipt }) => ({
      ...receipt,
      datedAt: receipt.datedAt.toISOString(),
      assignment:
        assignedBy === null || assignedAt === null ? null : { by: assignedBy, at: assignedAt.toISOString(), reason },
    })),
    hasMore: receipts.length > limit,
  };
}

/** The payment of a refund is returned by the watch of the money, which looks at once. */
export async function assignReceipt(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  assignment: ReceiptAssignment,
): Promise<void> {
  await asApplicationError(assignReceiptAs(dependencies.database, user.tokenHash, assignment));
  await watchMoney(dependencies, assignment.account, 'pollRequested').catch(() => undefined);
}

/** Refunds of the accounts that the user may use, the newest first. The provider's remarks may name people. */
export async function listRefunds(
  { database }: ApplicationDependencies,
  user: SignedIn,
  { account, currency, run, state, limit }: RefundQuery,
): Promise<RefundList> {
  const filter = { accounts: accountsOf(user, account), currency, runId: run, state, limit: limit + 1 };
  const refunds = await listStoredRefunds(database, filter);
  const mayReadRemarks = mayRead(user, 'read_instructions');
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
