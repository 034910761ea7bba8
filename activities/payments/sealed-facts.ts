import Big from 'big.js';
import { feesAreBeyond } from '../../domain/payments/fee-limit.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { RecordSeal } from '../../provider/record-seal.ts';
import type { SimplePayment } from '../../provider/payments/simple-payment-fields.ts';
import type { PaymentUpdate } from '../../store/payments/payment-transition.ts';
import type { ApprovedContent } from '../../store/payments/payment-requests.ts';
import type { PaymentRecord } from '../../store/payments/payments.ts';

/**
 * What one request learns and a later one rests on, sealed for just this payment: the quote, which carries the
 * beneficiary, and the payment at the provider, which is what is funded.
 */

type Sealed = Pick<PaymentRecord, 'paymentId' | 'attempt'>;

export function sealQuote(
  seal: RecordSeal,
  { paymentId, attempt }: Sealed,
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
  return seal.holds(quoteSeal, 'quote', paymentId, attempt, approved.rowHash, quoteId, beneficiaryId);
}

export function isSealedPayment(
  seal: RecordSeal,
  { paymentId, attempt, providerPaymentId, paymentSeal }: PaymentRecord,
): boolean {
  return seal.holds(paymentSeal, 'payment', paymentId, attempt, providerPaymentId);
}

export interface CreatedUpdate {
  state: Extract<PaymentState, 'created' | 'unknown'>;
  facts: PaymentUpdate;
  detail: Record<string, unknown>;
}

/**
 * What follows from the provider's own record of a payment that was created under our reference: it is `created` and
 * sealed when it is what was approved, else `unknown`, and never funded.
 */
export function createdUpdate(
  seal: RecordSeal,
  {
    payment,
    instruction,
    maxFeePercent,
  }: { payment: PaymentRecord; instruction: PaymentInstruction; maxFeePercent: number },
  shown: SimplePayment,
  // An answer to our own creation need not repeat the reference; any other payment has to show it.
  isOurAnswer = false,
): CreatedUpdate {
  const { paymentId, attempt } = payment;
  const referenceId = referenceIdOf(paymentId, attempt);
  const isReferenceShown = isOurAnswer ? shown.referenceId !== null : true;
  const differing = differencesOf(shown, instruction, {
    referenceId: isReferenceShown ? referenceId : null,
    beneficiaryId: payment.beneficiaryId,
    maxFeePercent,
  });
  if (differing.length > 0) {
    const facts = {
      reference_id: referenceId,
      error_code: 'created_differs',
      error_message: differsMessage(differing),
    };
    return { state: 'unknown', facts, detail: { differing } };
  }
  const payment_seal = seal.of('payment', paymentId, attempt, shown.simplePaymentId);
  return { state: 'created', facts: { reference_id: referenceId, payment_seal }, detail: {} };
}

function differsMessage(differing: readonly string[]): string {
  return (
    `the provider's payment is not the one that was approved (${differing.join(', ')}): it was not funded; ` +
    'have it cancelled there, then resolve it'
  );
}

/**
 * The fields in which the provider's payment is not what was approved, or costs more than the limit of the fees allows.
 * Amounts and names left out are no difference.
 */
function differencesOf(
  shown: SimplePayment,
  instruction: PaymentInstruction,
  expected: { referenceId: string | null; beneficiaryId: string | null; maxFeePercent: number },
): string[] {
  const isSold = instruction.amountSide === 'sell';
  const amount = isSold ? shown.sellAmount : shown.buyAmount;
  const differs: readonly [string, boolean][] = [
    ['referenceId', expected.referenceId !== null && shown.referenceId !== expected.referenceId],
    [isSold ? 'sellAmount' : 'buyAmount', amount !== null && !new Big(amount).eq(instruction.amount)],
    ['sellCurrency', shown.sellCurrency !== null && shown.sellCurrency !== instruction.sellCurrency],
    ['buyCurrency', shown.buyCurrency !== null && shown.buyCurrency !== instruction.buyCurrency],
    ['totalAmount', costsTooMuch(shown, expected.maxFeePercent)],
    ['beneficiaryId', isOther(shown.beneficiary?.beneficiaryId, expected.beneficiaryId)],
  ];
  return differs.flatMap(([field, isDifferent]) => (isDifferent ? [field] : []));
}

/** The provider may ask for other fees than its quote did. */
function costsTooMuch({ sellAmount, totalAmount }: SimplePayment, maxFeePercent: number): boolean {
  return sellAmount !== null && totalAmount !== null && feesAreBeyond(maxFeePercent, { sellAmount, totalAmount });
}

function isOther(shown: string | null | undefined, expected: string | null): boolean {
  return shown !== null && shown !== undefined && shown !== expected;
}
