import Big from 'big.js';
import type { Balance, Ledger, LedgerEntry } from './ledger.ts';
import type { PaymentBook } from './payment-book.ts';
import { type Treasury, isTreasuryConsistent } from './treasury-invariant.ts';

/**
 * Whether the books balance, computed from the history only: in every currency the initial balance plus credits minus
 * debits is the balance, and the entries have no gap; every debit is the total of one funded payment; every completed
 * refund follows its debit, and is at most as much; a rejected or failed payment has a refund for each debit; and each funding, conversion and
 * deposit moved its amount exactly once.
 */
export function invariantHolds(ledger: Ledger, book: PaymentBook, treasury?: Treasury): boolean {
  return (
    areBalancesConsistent(ledger) &&
    arePaymentsConsistent(ledger.entries, book) &&
    isTreasuryConsistent(ledger.entries, treasury)
  );
}

function areBalancesConsistent(ledger: Ledger): boolean {
  const reached = new Map<Balance, Big>();
  for (const { balance, amountBefore, amountAfter, change } of ledger.entries) {
    if (!amountBefore.eq(reached.get(balance) ?? balance.initial)) return false;
    if (!amountBefore.plus(change).eq(amountAfter) || amountAfter.lt(0)) return false;
    reached.set(balance, amountAfter);
  }
  return [...reached].every(([balance, amount]) => balance.amount.eq(amount));
}

function arePaymentsConsistent(entries: readonly LedgerEntry[], book: PaymentBook): boolean {
  const payments = new Map(book.all().map((payment) => [payment.number, payment]));
  const debits = new Map<number, number>();
  const refunds = new Map<number, number>();
  const returned = new Map<number, Big>();
  for (const { type, transactionId, change, balance } of entries) {
    if (type !== 'payment' && type !== 'refund') continue;
    const payment = transactionId === null ? undefined : payments.get(transactionId);
    if (!payment || balance.currency.code !== payment.quote.sell.code) return false;
    if (type === 'payment' && !change.eq(payment.quote.totalAmount.times(-1))) return false;
    if (type === 'refund') returned.set(payment.number, change.plus(returned.get(payment.number) ?? 0));
    const counted = type === 'payment' ? debits : refunds;
    counted.set(payment.number, (counted.get(payment.number) ?? 0) + 1);
  }
  return book.all().every((payment) => {
    const [debited, refunded] = [debits.get(payment.number) ?? 0, refunds.get(payment.number) ?? 0];
    const { totalAmount } = payment.quote;
    const [taken, back] = [totalAmount.times(debited), returned.get(payment.number) ?? new Big(0)];
    const issued = book.refundsOf(payment).reduce((sum, refund) => sum.plus(refund.amount), new Big(0));
    const endedBadly = payment.status === 'rejected' || payment.status === 'failed';
    return (
      debited === payment.timesFunded &&
      refunded === payment.timesRefunded &&
      taken.minus(back).lte(totalAmount) &&
      back.lte(taken) &&
      refunded === book.refundsOf(payment).filter(({ credited }) => credited).length &&
      (!endedBadly || issued.eq(taken))
    );
  });
}
