import type { RecordSeal } from '../../provider/record-seal.ts';
import type { ApprovedContent } from '../../store/payments/payment-requests.ts';
import type { PaymentRecord } from '../../store/payments/payments.ts';

/**
 * What one request returns and a later request relies on is sealed for its payment: the quote with its beneficiary, and
 * the provider's id of the payment.
 */

type SealedPayment = Pick<PaymentRecord, 'paymentId' | 'attempt'>;

export function sealQuote(
  seal: RecordSeal,
  { paymentId, attempt }: SealedPayment,
  approved: Pick<ApprovedContent, 'rowHash'>,
  quote: { quoteId: string; beneficiaryId: string },
): string {
  return seal.of('quote', paymentId, attempt, approved.rowHash, quote.quoteId, quote.beneficiaryId);
}

export function isSealedQuote(
  seal: RecordSeal,
  { paymentId, attempt, quoteId, beneficiaryId, quoteSeal }: PaymentRecord,
  approved: Pick<ApprovedContent, 'rowHash'>,
): boolean {
  // guard: seal-of-quote
  return seal.matches(quoteSeal, 'quote', paymentId, attempt, approved.rowHash, quoteId, beneficiaryId);
}

export function sealPayment(
  seal: RecordSeal,
  { paymentId, attempt }: SealedPayment,
  providerPaymentId: string,
): string {
  return seal.of('payment', paymentId, attempt, providerPaymentId);
}

export function isSealedPayment(
  seal: RecordSeal,
  { paymentId, attempt, providerPaymentId, paymentSeal }: PaymentRecord,
): boolean {
  // guard: seal-of-payment
  return seal.matches(paymentSeal, 'payment', paymentId, attempt, providerPaymentId);
}
