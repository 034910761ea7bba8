import type { ApplicationFailure } from '@temporalio/common';
import type { PaymentErrorCode } from '../../domain/payments/payment-error-codes.ts';
import { hasFailed, hasOutcome, type PaymentState } from '../../domain/payments/payment-state.ts';
import type { StateOfStatus } from '../../domain/payments/provider-status.ts';
import type { Quote, SimplePayment } from '../../provider/payments/simple-payment-fields.ts';
import type { Timestamp } from '../../provider/calls/answer-fields.ts';
import type { StatusObservation } from '../../store/payments/provider-statuses.ts';
import type { PaymentUpdate } from '../../store/payments/payment-transition.ts';
import { tryAgainIn } from '../calls/temporal-failures.ts';

export function instantOf(time: Timestamp | null): Date | null {
  return time === null || time.epochMs === null ? null : new Date(time.epochMs);
}

/** A field that the provider left out keeps its recorded value. */
function given<Key extends keyof PaymentUpdate>(key: Key, value: PaymentUpdate[Key] | null): Partial<PaymentUpdate> {
  return value === null ? {} : { [key]: value };
}

export function quoteUpdateOf(quote: Quote, nowMs: number): PaymentUpdate {
  return {
    quote_id: quote.quoteId,
    quote_expires_at: instantOf(quote.expiresAt),
    // Absent is not the same as false: the earlier variant of the contract always wants documents.
    documents_required: quote.supportingDocumentsRequired ?? true,
    sell_amount: quote.sellAmount,
    buy_amount: quote.buyAmount,
    ...given('rate', quote.rate),
    ...given('fee', quote.totalFee),
    ...given('total_amount', quote.totalAmount),
    quoted_at: new Date(nowMs),
  };
}

/** The update that follows from the provider's record of a payment. */
export function paymentUpdateOf(payment: SimplePayment): PaymentUpdate {
  return {
    provider_payment_id: payment.simplePaymentId,
    provider_status: payment.status,
    ...given('provider_created_at', instantOf(payment.createdAt)),
    ...given('funding_cutoff_at', instantOf(payment.fundingCutoffTime)),
    ...given('sell_amount', payment.sellAmount),
    ...given('buy_amount', payment.buyAmount),
    ...given('rate', payment.rate),
    ...given('fee', payment.totalFee),
    ...given('total_amount', payment.totalAmount),
  };
}

/** The terminal fields, when the state is an end; else nothing. */
export function terminalFieldsOf(payment: SimplePayment, state: PaymentState | null, nowMs: number): PaymentUpdate {
  if (state === null || !hasOutcome(state)) return {};
  const reason = reasonOf(payment, state);
  return { ended_at: new Date(nowMs), error_code: reason.code, error_message: reason.message };
}

export function observationOf(payment: SimplePayment, stateOf: StateOfStatus): StatusObservation {
  const state = stateOf(payment.status);
  const reason = reasonOf(payment, state);
  return {
    providerPaymentId: payment.simplePaymentId,
    providerStatus: payment.status,
    state,
    errorCode: reason.code,
    errorMessage: reason.message,
  };
}

function reasonOf(
  payment: SimplePayment,
  state: PaymentState | null,
): {
  code: PaymentErrorCode | null;
  message: string | null;
} {
  if (state === null || !hasFailed(state)) return { code: null, message: null };
  return { code: `provider_${state}`, message: payment.failureReason ?? 'the provider gave no reason' };
}

const STATUS_NOT_KNOWN_RETRY_MS = 30_000;

/**
 * The payment state for a status of the provider. An unknown status shows neither that a request took effect nor that the
 * payment may be funded, so nothing is sent, and the activity is retried.
 */
export function knownState(providerStatus: string, stateOf: StateOfStatus): PaymentState {
  const state = stateOf(providerStatus);
  // guard: unknown-status-resolves-nothing
  if (state !== null) return state;
  throw statusNotKnown();
}

export function statusNotKnown(): ApplicationFailure {
  return tryAgainIn(STATUS_NOT_KNOWN_RETRY_MS, 'status_not_known', 'the provider shows a status that is not known');
}
