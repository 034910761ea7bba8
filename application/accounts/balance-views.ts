import {
  type AccountBalances,
  type Balance,
  type BalanceQuery,
  type HistoryPage,
  type HistoryQuery,
  pageEndOf,
} from '../../api/accounts/balance.ts';
import type { LedgerPage, LedgerQuery, TRANSFER_REASONS } from '../../api/accounts/ledger.ts';
import {
  type BalanceView,
  type HistoryEntryView,
  listBalances as listStoredBalances,
  listCoverage,
  listEntries,
} from '../../store/accounts/balance-views.ts';
import { listLedgerBalances, listLedgerTransfers } from '../../store/accounts/ledger-views.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { endOf, iso } from '../iso-time.ts';
import { accountsOf, type SignedIn } from '../users/signed-in.ts';
import { requestHistory } from './watch-money.ts';

/** Every configured account, and those with balances in the database. */
export async function listBalances(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  { account, currency }: BalanceQuery,
): Promise<AccountBalances[]> {
  const { database } = dependencies;
  const accounts = accountsOf(user, account);
  const balances = await listStoredBalances(database, accounts, currency);
  const coverage = await listCoverage(database, accounts);
  const configured = dependencies.accounts.map(({ name }) => name).filter((name) => accounts?.includes(name) ?? true);
  await Promise.all(configured.map((name) => requestHistory(dependencies, name)));
  const names = new Set([...configured, ...balances.map((balance) => balance.account)]);
  return [...names].sort().map((name) => {
    const covered = coverage.find((one) => one.account === name);
    return {
      account: name,
      historyReadAt: iso(covered?.readAt ?? null),
      historyFrom: iso(covered?.fromAt ?? null),
      balances: balances.filter((balance) => balance.account === name).map(balanceOf),
    };
  });
}

export async function listHistory(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  { account, currency, from, to, limit, after }: HistoryQuery,
): Promise<HistoryPage> {
  const accounts = accountsOf(user, account);
  const filter = { accounts, currency, from: startOf(from), to: endOf(to), limit, after };
  const entries = await listEntries(dependencies.database, filter);
  const last = entries.length < limit ? undefined : entries.at(-1);
  return { entries: entries.map(entryOf), nextAfter: last === undefined ? null : pageEndOf(last) };
}

function balanceOf(view: BalanceView): Balance {
  const { currency, amount, ageSeconds, lastAmount } = view;
  return {
    currency,
    amount,
    readAt: iso(view.readAt),
    ageSeconds,
    historyStatus: historyStatusOf(view),
    amountByHistory: lastAmount,
    lastEntryAt: iso(view.lastDatedAt),
    missingSince: iso(view.gapSince),
    free: view.free,
    committed: view.committed,
    alarms: view.alarms.map(({ raisedAt, ...alarm }) => ({ ...alarm, raisedAt: new Date(raisedAt).toISOString() })),
  };
}

function historyStatusOf({ lastAmount, gapSince, unfollowedSince }: BalanceView): Balance['historyStatus'] {
  if (lastAmount === null) return 'no_entries';
  if (unfollowedSince !== null) return 'abandoned';
  return gapSince === null ? 'complete' : 'missing_entries';
}

function entryOf({ datedAt, firstSeenAt, ...entry }: HistoryEntryView): HistoryPage['entries'][number] {
  return { ...entry, at: datedAt.toISOString(), firstSeenAt: firstSeenAt.toISOString() };
}

function startOf(time: string | null): Date | null {
  return time === null ? null : new Date(time);
}

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
