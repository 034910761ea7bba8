import Big from 'big.js';

/** A payment that waits for money, and the balance in its currency. Amounts are decimal strings. */
export interface WaitingForFunds {
  paymentId: string;
  currency: string;
  total: string;
  balance: string;
}

/**
 * Those that the balances can pay, in the order given: one that is too large for what is left is passed over, and keeps its
 * place.
 */
export function payableFrom(waiting: readonly WaitingForFunds[]): string[] {
  const left = new Map<string, Big>();
  return waiting
    .filter(({ currency, total, balance }) => {
      const remaining = (left.get(currency) ?? new Big(balance)).minus(total);
      if (remaining.lt(0)) return false;
      left.set(currency, remaining);
      return true;
    })
    .map(({ paymentId }) => paymentId);
}
