import type { LedgerPage, LedgerQuery, TRANSFER_REASONS } from '../../api/accounts/ledger.ts';
import { listLedgerBalances, listLedgerTransfers } from '../../store/accounts/ledger-views.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { accountsOf, type SignedIn } from '../users/signed-in.ts';

/** The double-entry ledger: what holds money, and the transfers that follow `after`, the newest first. */
export async function readLedger(
  { database }: ApplicationDependencies,
  user: SignedIn,
  { account, currency, run, limit, after }: LedgerQuery,
): Promise<LedgerPage> {
  const filter = { accounts: accountsOf(user, account), currency, runId: run };
  const isFirst = after === Number.MAX_SAFE_INTEGER;
  const balances = isFirst ? await listLedgerBalances(database, filter) : [];
  const transfers = await listLedgerTransfers(database, { ...filter, after, limit });
  return {
    balances,
    transfers: transfers.map(({ madeAt, reason, ...transfer }) => ({
      ...transfer,
      // The database allows no other.
      reason: reason as (typeof TRANSFER_REASONS)[number],
      at: madeAt.toISOString(),
    })),
    nextAfter: transfers.length < limit ? null : (transfers.at(-1)?.transferId ?? null),
  };
}
