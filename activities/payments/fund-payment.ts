import { providerErrorCode } from '../../domain/payments/payment-error-codes.ts';
import {
  hasEnded,
  isInFlight,
  isUnfunded,
  type PaymentState,
  UNFUNDED_PAYMENT_STATES,
} from '../../domain/payments/payment-state.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { SimplePayment } from '../../provider/payments/simple-payment-fields.ts';
import { awaitFunds } from '../../store/accounts/ledger.ts';
import type { Queryable } from '../../store/database/database.ts';
import { type BegunRequest, beginRequest } from '../../store/payments/payment-requests.ts';
import { readOpenRequest } from '../../store/payments/request-history.ts';
import { refuseUnapproved } from '../approvals/approved-row.ts';
import type { ProviderReply } from '../calls/call-provider.ts';
import { hadNoEffect } from '../calls/failure-meaning.ts';
import { refusalIfRowForbidden } from '../calls/forbidden-row.ts';
import { callNonIdempotent, startSendDeadline } from '../calls/send-deadline.ts';
import { unlessStopped, wasStopped } from '../calls/stop-check.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { hasValidPaymentMac } from './payment-macs.ts';
import { paymentUpdateOf, terminalFieldsOf } from './payment-update.ts';
import { instructionToSend, ofWorker } from './payee-data.ts';
import { recordIfCurrent, recordNoEffect, recordNotSent, type RequestRef } from './record-if-current.ts';

export type FundOutcome =
  /** By this request. */
  | { kind: 'funded'; state: PaymentState }
  /** It ended, is held, or was funded before: nothing was sent. */
  | { kind: 'nothing_to_fund'; state: PaymentState }
  /** No contract says how the reasons differ: funds may be short, or the payment may be funded already. */
  | { kind: 'refused' }
  /** By the ledger, the money for it is not there: nothing was sent, and it waits. */
  | { kind: 'insufficient_funds' }
  /** A stop is active, or the data key is missing: nothing was sent. */
  | { kind: 'stopped' }
  /** Sent with an unknown outcome, or without a valid MAC: read the payment from the provider. */
  | { kind: 'read_required' };

/**
 * Funds a created payment from the balance, once, by the same rules as its creation: only what was approved, and no
 * second request while the outcome of the first is unknown. Contract: payments 4.4.
 */
export function fundPaymentActivity(dependencies: ActivityDependencies) {
  const { database, provider, macOf, settings, now } = dependencies;
  return async function fundPayment({ paymentId }: { paymentId: string }): Promise<FundOutcome> {
    const sendDeadline = startSendDeadline(dependencies);
    const worker = await ofWorker(dependencies);
    const whileIn = UNFUNDED_PAYMENT_STATES;
    const intent = await beginRequest(database, { paymentId, operation: 'fund', whileIn, ...worker });
    const { payment, requestId } = intent;
    if (requestId === null) return outcomeWithoutRequest(database, intent);
    const request: RequestRef = { requestId, operation: 'fund' };
    // guard: fund-payment-as-approved
    if ((await instructionToSend(dependencies, request, intent)) === null) {
      await recordNotSent(database, request);
      return { kind: 'nothing_to_fund', state: await refuseUnapproved(database, payment, 'fund') };
    }
    const simplePaymentId = payment.providerPaymentId;
    // guard: payment-mac
    if (simplePaymentId === null || !hasValidPaymentMac(macOf(payment.account), payment)) {
      await recordNotSent(database, request);
      return { kind: 'read_required' };
    }
    // guard: fund-payment-unless-stopped
    const answer = await callNonIdempotent(sendDeadline, unlessStopped(database, payment), (options) =>
      provider(payment.account).simplePayments.fund({ simplePaymentId }, options),
    );
    const reply = await refusalIfRowForbidden(database, payment, answer);
    return reply instanceof ProviderFailure ? recordFailure(reply, request) : recordFunded(reply, request);
  };

  async function recordFunded(
    { value, httpStatus }: ProviderReply<SimplePayment>,
    request: RequestRef,
  ): Promise<FundOutcome> {
    const shown = settings.stateOf(value.status);
    // The answer may still show the status from before the funding.
    // guard: funded-is-in-flight
    const state = shown === null || shown === 'created' ? 'funded' : shown;
    const update = {
      ...paymentUpdateOf(value),
      ...terminalFieldsOf(value, state, now()),
      funded_at: new Date(now()),
    };
    const answer = { outcome: 'took_effect', answer: 'as_asked', httpStatus } as const;
    await recordIfCurrent(database, { ...request, ...answer, transition: { to: state, update } });
    return { kind: 'funded', state };
  }

  async function recordFailure(failure: ProviderFailure, request: RequestRef): Promise<FundOutcome> {
    if (wasStopped(failure)) {
      await recordNotSent(database, request);
      return { kind: 'stopped' };
    }
    if (hadNoEffect(failure)) {
      await recordNoEffect(database, request, failure);
      throw retryLater(failure);
    }
    // A refusal may mean that the payment is funded already. The request stays open until a read shows whether it is.
    const answer = { ...request, answer: failure.kind, httpStatus: failure.httpStatus };
    const code = failure.providerCode === null ? null : providerErrorCode(failure.providerCode);
    const update = { error_code: code, error_message: failure.providerMessage };
    // guard: refused-funding-stays-open
    await recordIfCurrent(database, { ...answer, outcome: null, transition: { to: null, update } });
    return { kind: failure.kind === 'refused' ? 'refused' : 'read_required' };
  }
}

/** What follows when no request could begin. */
async function outcomeWithoutRequest(
  database: Queryable,
  { payment, approved, isStopped }: BegunRequest,
): Promise<FundOutcome> {
  const { paymentId, state } = payment;
  // A read of all may have shown the payment as funded before its open request was looked up; the request still has to be.
  const open = await readOpenRequest(database, paymentId, 'fund');
  if (open !== null) return { kind: open.answer === 'refused' ? 'refused' : 'read_required' };
  if (isUnfunded(state)) {
    if (approved === null) return { kind: 'nothing_to_fund', state: await refuseUnapproved(database, payment, 'fund') };
    if (isStopped) return { kind: 'stopped' };
    if (await awaitFunds(database, paymentId)) return { kind: 'insufficient_funds' };
    return { kind: state === 'created' ? 'read_required' : 'insufficient_funds' };
  }
  if (hasEnded(state) || isInFlight(state)) return { kind: 'nothing_to_fund', state };
  throw new Error(`payment ${paymentId} cannot be funded while it is ${state}`);
}
