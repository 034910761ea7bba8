import type Big from 'big.js';
import type { Conversion } from './conversion.ts';
import type { Funding } from './funding-book.ts';
import type { Balance, EntryType, LedgerEntry } from './ledger.ts';
import type { Deposit } from './virtual-accounts.ts';

/** What moves money besides payments. */
export interface Treasury {
  readonly fundings: readonly Funding[];
  readonly conversions: readonly Conversion[];
  readonly deposits: readonly Deposit[];
}

const nothing: Treasury = { fundings: [], conversions: [], deposits: [] };

/**
 * Whether the history holds exactly one entry for each funding, conversion and deposit that moved money, in its
 * currency and of its amount, and no entry that none of them accounts for.
 */
export function treasuryAgrees(entries: readonly LedgerEntry[], treasury: Treasury = nothing): boolean {
  const expected = new Set(expectedChanges(treasury));
  const found = entries.flatMap((entry) => changeOf(entry) ?? []);
  return found.length === expected.size && found.every((change) => expected.delete(change)) && statusesAgree(treasury);
}

function changeOf({ type, transactionId, balance, change }: LedgerEntry): string | undefined {
  // Money that the control door adds to a balance belongs to no transaction.
  if (type === 'payment' || type === 'refund' || type === 'adjustment') return undefined;
  if (type === 'deposit' && transactionId === null) return undefined;
  return written(type, transactionId, balance.currency.code, change);
}

function expectedChanges({ fundings, conversions, deposits }: Treasury): string[] {
  const of = (
    type: EntryType,
    { number, balance, amount }: { number: number; balance: Balance; amount: Big },
  ): string => written(type, number, balance.currency.code, amount);
  return [
    ...fundings.filter(({ credited }) => credited).map((funding) => of('funding', funding)),
    ...deposits.filter(({ status }) => status === 'completed').map((deposit) => of('deposit', deposit)),
    ...conversions
      .filter(({ funded }) => funded)
      .map(({ number, quote }) => written('conversion', number, quote.sell.code, quote.totalAmount.times(-1))),
    ...conversions
      .filter(({ credited }) => credited)
      .map(({ number, quote }) => written('conversion_credit', number, quote.buy.code, quote.buyAmount)),
  ];
}

const statusesAgree = ({ fundings, conversions }: Treasury): boolean =>
  fundings.every(({ status, credited, reportsDeposit }) => status !== 'completed' || credited !== reportsDeposit) &&
  conversions.every(({ status, credited }) => status !== 'completed' || credited);

const written = (type: EntryType, number: number | null, currency: string, change: Big): string =>
  `${type}/${number ?? 'none'}/${currency}/${change.toFixed()}`;
