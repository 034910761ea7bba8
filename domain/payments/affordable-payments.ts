import Big from 'big.js';

/** A payment that waits for funds, and the balance in its currency. Amounts are decimal strings. */
export interface WaitingForFunds {
  paymentId: string;
  currency: string;
  total: string;
  balance: string;
}

/**
 * The ids of the payments that the balances cover, in the given order. A payment larger than the remaining balance is
 * skipped, and later ones may still be paid.
 */
export function selectAffordable(waiting: readonly WaitingForFunds[]): string[] {
  const remainingByCurrency = new Map<string, Big>();
  return waiting
    .filter(({ currency, total, balance }) => {
      const remaining = (remainingByCurrency.get(currency) ?? new Big(balance)).minus(total);
      if (remaining.lt(0)) return false;
      remainingByCurrency.set(currency, remaining);
      return true;
    })
    .map(({ paymentId }) => paymentId);
}
