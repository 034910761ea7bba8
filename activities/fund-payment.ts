import { hasEnded, type PaymentState, stateOfProviderStatus } from '../domain/payment-state.ts';
import { ProviderFailure } from '../provider/failure.ts';
import { type Answer, beginRequest, readOpenRequest } from '../store/payment-requests.ts';
import type { PaymentRecord } from '../store/payments.ts';
import { callExclusive, hadNoEffect, retryLater } from './call-provider.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { factsOfEnd, factsOfPayment } from './payment-facts.ts';
import { recordInTurn } from './record-in-turn.ts';

export type FundOutcome =
  | { kind: 'funded'; state: PaymentState }
  | { kind: 'insufficient_funds' }
  /** Refused, or sent without a known outcome: the provider's record decides. */
  | { kind: 'look_again' };

/**
 * Funds a created payment from the balance, once, by the same rule as its creation: no second request while the first
 * one's outcome is open. Contract: payments 4.4.
 */
export function fundPaymentActivity({ database, provider, now }: ActivityDependencies) {
  return async function fundPayment({ paymentId }: { paymentId: string }): Promise<FundOutcome> {
    const begunAtMs = performance.now();
    const { payment, requestId } = await beginRequest(database, { paymentId, operation: 'fund', whileIn: ['created'] });
    if (requestId === null) {
      // A sweep may have shown that it was funded before the open request was looked up, which is still to be settled.
      const open = await readOpenRequest(database, paymentId, 'fund');
      return open === null ? outcomeOfEarlier(payment) : { kind: 'look_again' };
    }
    const simplePaymentId = payment.providerPaymentId;
    if (simplePaymentId === null) throw new Error(`payment ${paymentId} is created without the provider's id`);
    const sent = await callExclusive(begunAtMs, (options) =>
      provider(payment.account).simplePayments.fund({ simplePaymentId }, options),
    );
    const answer = { requestId, operation: 'fund' } as const;
    if (sent instanceof ProviderFailure) return recordFailure(sent, answer);
    const shown = stateOfProviderStatus(sent.value.status);
    // The answer may still show the status from before: funded it is all the same.
    const state = shown === null || shown === 'created' ? 'funded' : shown;
    const facts = {
      ...factsOfPayment(sent.value),
      ...factsOfEnd(sent.value, state, now()),
      funded_at: new Date(now()),
    };
    await recordInTurn(database, {
      ...answer,
      outcome: 'took_effect',
      httpStatus: sent.httpStatus,
      move: { to: state, facts },
    });
    return { kind: 'funded', state };
  };

  async function recordFailure(
    failure: ProviderFailure,
    answer: Pick<Answer, 'requestId' | 'operation'>,
  ): Promise<FundOutcome> {
    const { httpStatus } = failure;
    if (hadNoEffect(failure)) {
      await recordInTurn(database, { ...answer, outcome: 'had_no_effect', httpStatus, move: { to: null } });
      throw retryLater(failure);
    }
    if (failure.kind === 'refused' && failure.providerCode === 'insufficient_balance') {
      await recordInTurn(database, { ...answer, outcome: 'refused', httpStatus, move: { to: null } });
      return { kind: 'insufficient_funds' };
    }
    // A refusal may mean that it is funded already: only a read tells, so the request stays open until then.
    const facts = { error_code: failure.providerCode, error_message: failure.providerMessage };
    await recordInTurn(database, { ...answer, outcome: null, httpStatus, move: { to: null, facts } });
    return { kind: 'look_again' };
  }
}

function outcomeOfEarlier(payment: PaymentRecord): FundOutcome {
  if (payment.state === 'created') return { kind: 'look_again' };
  if (hasEnded(payment.state) || payment.state === 'funded' || payment.state === 'processing') {
    return { kind: 'funded', state: payment.state };
  }
  throw new Error(`payment ${payment.paymentId} cannot be funded while it is ${payment.state}`);
}
