import Big from 'big.js';

/** A payment that waits for funds. Amounts are decimal strings. */
export interface WaitingForFunds {
  paymentId: string;
  currency: string;
  /** What is still to be covered. */
  total: string;
  /** What may be spent on payments of any run. */
  balance: string;
  /** What is reserved for the payment's run beside it; null: nothing. */
  reserved: { runId: string; amount: string } | null;
}

/**
 * The ids of the payments that can be paid, in the given order: each from what is reserved for its run, then from the rest. A
 * payment larger than what remains is skipped, and later ones may still be paid.
 */
export function selectAffordable(waiting: readonly WaitingForFunds[]): string[] {
  const remaining = new Map<string, Big>();
  return waiting
    .filter(({ currency, total, balance, reserved }) => {
      const reserve = `${currency}/${reserved?.runId ?? ''}`;
      const ofRun = remaining.get(reserve) ?? new Big(reserved?.amount ?? 0);
      const ofAll = remaining.get(currency) ?? new Big(balance);
      const fromRun = ofRun.lt(total) ? ofRun : new Big(total);
      const rest = ofAll.minus(new Big(total).minus(fromRun));
      // guard: no-more-than-there-is
      if (rest.lt(0)) return false;
      remaining.set(reserve, ofRun.minus(fromRun));
      remaining.set(currency, rest);
      return true;
    })
    .map(({ paymentId }) => paymentId);
}
