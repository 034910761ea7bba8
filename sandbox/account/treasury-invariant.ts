import type Big from 'big.js';
import type { Conversion } from './conversion.ts';
import type { Funding } from './funding-book.ts';
import type { Balance, EntryType, LedgerEntry } from './ledger.ts';
import type { Deposit } from './virtual-accounts.ts';

/** Everything that moves money except payments. */
export interface Treasury {
  readonly fundings: readonly Funding[];
  readonly conversions: readonly Conversion[];
  readonly deposits: readonly Deposit[];
}

const nothing: Treasury = { fundings: [], conversions: [], deposits: [] };

/**
 * Whether the history contains exactly one entry for each time that a funding, conversion or deposit moved money, with its
 * currency and amount, and no other entries of these types.
 */
export function isTreasuryConsistent(entries: readonly LedgerEntry[], treasury: Treasury = nothing): boolean {
  const expected = expectedChanges(treasury).sort();
  const found = entries.flatMap((entry) => changeOf(entry) ?? []).sort();
  return (
    found.length === expected.length &&
    found.every((change, index) => change === expected[index]) &&
    areStatusesConsistent(treasury)
  );
}

function changeOf({ type, transactionId, balance, change }: LedgerEntry): string | undefined {
  // Money that the control API adds to a balance belongs to no transaction.
  if (type === 'payment' || type === 'refund' || type === 'adjustment') return undefined;
  if (type === 'deposit' && transactionId === null) return undefined;
  return changeKey(type, transactionId, balance.currency.code, change);
}

function expectedChanges({ fundings, conversions, deposits }: Treasury): string[] {
  const keyOf = (
    type: EntryType,
    { number, balance, amount }: { number: number; balance: Balance; amount: Big },
  ): string => changeKey(type, number, balance.currency.code, amount);
  return [
    ...fundings.filter(({ credited }) => credited).map((funding) => keyOf('funding', funding)),
    ...deposits.filter(({ status }) => status === 'completed').map((deposit) => keyOf('deposit', deposit)),
    ...conversions
      .flatMap((conversion) => Array.from({ length: conversion.timesFunded }, () => conversion))
      .map(({ number, quote }) => changeKey('conversion', number, quote.sell.code, quote.totalAmount.times(-1))),
    ...conversions
      .filter(({ credited }) => credited)
      .map(({ number, quote }) => changeKey('conversion_credit', number, quote.buy.code, quote.buyAmount)),
  ];
}

const areStatusesConsistent = ({ fundings, conversions }: Treasury): boolean =>
  fundings.every(({ status, credited, reportsDeposit }) => status !== 'completed' || credited !== reportsDeposit) &&
  conversions.every(({ status, credited }) => status !== 'completed' || credited);

const changeKey = (type: EntryType, number: number | null, currency: string, change: Big): string =>
  `${type}/${number ?? 'none'}/${currency}/${change.toFixed()}`;
