import type { Mac } from '../../provider/mac.ts';
import type { ApprovedContent } from '../../store/payments/payment-requests.ts';
import type { PaymentRecord } from '../../store/payments/payments.ts';

/**
 * What one request returns and a later request relies on gets a MAC for its payment: the quote with its beneficiary, and
 * the provider's id of the payment.
 */

type PaymentAttempt = Pick<PaymentRecord, 'paymentId' | 'attempt'>;

export function macQuote(
  mac: Mac,
  { paymentId, attempt }: PaymentAttempt,
  approved: Pick<ApprovedContent, 'rowHash'>,
  quote: { quoteId: string; beneficiaryId: string },
): string {
  return mac.of('quote', paymentId, attempt, approved.rowHash, quote.quoteId, quote.beneficiaryId);
}

export function hasValidQuoteMac(
  mac: Mac,
  { paymentId, attempt, quoteId, beneficiaryId, quoteMac }: PaymentRecord,
  approved: Pick<ApprovedContent, 'rowHash'>,
): boolean {
  // guard: mac-of-quote
  return mac.matches(quoteMac, 'quote', paymentId, attempt, approved.rowHash, quoteId, beneficiaryId);
}

export function macPayment(mac: Mac, { paymentId, attempt }: PaymentAttempt, providerPaymentId: string): string {
  return mac.of('payment', paymentId, attempt, providerPaymentId);
}

export function hasValidPaymentMac(
  mac: Mac,
  { paymentId, attempt, providerPaymentId, paymentMac }: PaymentRecord,
): boolean {
  // guard: mac-of-payment
  return mac.matches(paymentMac, 'payment', paymentId, attempt, providerPaymentId);
}
