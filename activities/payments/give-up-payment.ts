import { dayOf } from '../../domain/payments/pay-day.ts';
import { hasEnded, type PaymentState } from '../../domain/payments/payment-state.ts';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import { mayHaveBeenCreated, readApproval } from '../../store/payments/payment-requests.ts';
import { refuseUnapproved } from '../approvals/approved-row.ts';
import { tryAgainIn } from './call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';

const LOOK_AGAIN_MS = 1_000;

/**
 * Ends the sending of a payment whose step could not be done for days, or by a defect of ours. What the provider
 * provably never had is held; what it may have becomes unknown: neither is paid again by itself.
 */
export function giveUpPaymentActivity({ database, now }: ActivityDependencies) {
  return async function giveUpPayment({ paymentId }: { paymentId: string }): Promise<{ state: PaymentState }> {
    const { payment, approved } = await readApproval(database, paymentId, dayOf(now()));
    if (hasEnded(payment.state) || payment.state === 'held') return { state: payment.state };
    if (approved === null && payment.providerPaymentId === null && !(await mayHaveBeenCreated(database, paymentId))) {
      return { state: await refuseUnapproved(database, payment, 'give_up') };
    }
    const mayExist = payment.providerPaymentId !== null || (await mayHaveBeenCreated(database, paymentId));
    const to = mayExist ? 'unknown' : 'held';
    const facts = {
      error_code: 'step_failed',
      error_message: mayExist
        ? 'a step could not be done, and what the provider has of this payment is not known'
        : 'a step could not be done; the provider has nothing of this payment',
      ...(mayExist ? { ended_at: new Date(now()) } : {}),
    };
    const isMoved = await transitionPayment(database, {
      paymentId,
      to,
      kind: 'given_up',
      facts,
      untilCreated: !mayExist,
    });
    if (!isMoved) throw tryAgainIn(LOOK_AGAIN_MS, 'superseded', 'the payment has moved on meanwhile');
    return { state: to };
  };
}
