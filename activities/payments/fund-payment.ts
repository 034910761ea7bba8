import { dayOf } from '../../domain/payments/pay-day.ts';
import {
  hasEnded,
  isUnfunded,
  type PaymentState,
  UNFUNDED_PAYMENT_STATES,
} from '../../domain/payments/payment-state.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import {
  type Answer,
  type BegunRequest,
  beginRequest,
  readOpenRequest,
} from '../../store/payments/payment-requests.ts';
import { approvedInstruction, refuseUnapproved } from '../approvals/approved-row.ts';
import { callNonIdempotent, hadNoEffect, retryLater, unlessStopped, wasStopped } from './call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { asForbiddenRow } from '../approvals/forbidden-row.ts';
import { terminalFieldsOf, paymentUpdateOf } from './payment-update.ts';
import { recordIfCurrent } from './record-if-current.ts';
import { isSealedPayment } from './sealed-facts.ts';

export type FundOutcome =
  | { kind: 'funded'; state: PaymentState }
  /** Why is not told in any words that a contract gives: for want of money, or since it is funded already. */
  | { kind: 'refused' }
  /** In histories of the version before: refused for want of money, by the words of the sandbox. */
  | { kind: 'insufficient_funds' }
  /** A stop holds, and nothing was sent. */
  | { kind: 'stopped' }
  /** Refused, sent without a known outcome, or not known to be ours: the provider's record decides. */
  | { kind: 'look_again' };

type RequestInHand = Pick<Answer, 'requestId' | 'operation'>;

/**
 * Funds a created payment from the balance, once, by the same rules as its creation: only what was approved, and no
 * second request while the first one's outcome is open. Contract: payments 4.4.
 */
export function fundPaymentActivity({ database, provider, seal, settings, now }: ActivityDependencies) {
  return async function fundPayment({ paymentId }: { paymentId: string }): Promise<FundOutcome> {
    const begunAtMs = performance.now();
    const today = dayOf(now());
    const intent = { paymentId, operation: 'fund', whileIn: UNFUNDED_PAYMENT_STATES, today } as const;
    const begun = await beginRequest(database, intent);
    const { payment, requestId } = begun;
    if (requestId === null) return outcomeWithout(begun);
    const answer: RequestInHand = { requestId, operation: 'fund' };
    if (approvedInstruction(payment, begun.approved) === null) {
      await notSent(answer);
      return { kind: 'funded', state: await refuseUnapproved(database, payment, 'fund') };
    }
    const simplePaymentId = payment.providerPaymentId;
    if (simplePaymentId === null || !isSealedPayment(seal(payment.account), payment)) {
      await notSent(answer);
      return { kind: 'look_again' };
    }
    const answered = await callNonIdempotent(begunAtMs, unlessStopped(database, payment), (options) =>
      provider(payment.account).simplePayments.fund({ simplePaymentId }, options),
    );
    const sent = await asForbiddenRow(database, payment, answered);
    if (sent instanceof ProviderFailure) return recordFailure(sent, answer);
    const shown = settings.stateOf(sent.value.status);
    // The answer may still show the status from before: funded it is all the same.
    const state = shown === null || shown === 'created' ? 'funded' : shown;
    const facts = {
      ...paymentUpdateOf(sent.value),
      ...terminalFieldsOf(sent.value, state, now()),
      funded_at: new Date(now()),
    };
    await recordIfCurrent(database, {
      ...answer,
      outcome: 'took_effect',
      answer: 'as_asked',
      httpStatus: sent.httpStatus,
      move: { to: state, facts },
    });
    return { kind: 'funded', state };
  };

  function notSent(answer: RequestInHand): Promise<void> {
    const nothing = { outcome: 'had_no_effect', answer: 'not_sent', httpStatus: null, move: { to: null } } as const;
    return recordIfCurrent(database, { ...answer, ...nothing });
  }

  async function outcomeWithout({ payment, approved, isStopped }: BegunRequest): Promise<FundOutcome> {
    const { paymentId, state } = payment;
    // A sweep may have shown that it was funded before the open request was looked up, which is still to be settled.
    const open = await readOpenRequest(database, paymentId, 'fund');
    if (open !== null) return { kind: open.answer === 'refused' ? 'refused' : 'look_again' };
    if (isUnfunded(state)) {
      if (approved === null) return { kind: 'funded', state: await refuseUnapproved(database, payment, 'fund') };
      return { kind: isStopped ? 'stopped' : state === 'created' ? 'look_again' : 'insufficient_funds' };
    }
    if (hasEnded(state) || state === 'funded' || state === 'processing') return { kind: 'funded', state };
    throw new Error(`payment ${paymentId} cannot be funded while it is ${state}`);
  }

  async function recordFailure(failure: ProviderFailure, hand: RequestInHand): Promise<FundOutcome> {
    const answer = { ...hand, answer: failure.kind, httpStatus: failure.httpStatus };
    if (wasStopped(failure)) {
      await notSent(hand);
      return { kind: 'stopped' };
    }
    if (hadNoEffect(failure)) {
      await recordIfCurrent(database, { ...answer, outcome: 'had_no_effect', move: { to: null } });
      throw retryLater(failure);
    }
    // Also a refusal may mean that it is funded already: only a read tells, so the request stays open until then.
    const facts = { error_code: failure.providerCode, error_message: failure.providerMessage };
    await recordIfCurrent(database, { ...answer, outcome: null, move: { to: null, facts } });
    return { kind: failure.kind === 'refused' ? 'refused' : 'look_again' };
  }
}
