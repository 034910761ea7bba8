import { hasEnded, type PaymentState } from '../../domain/payments/payment-state.ts';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import type { PaymentUpdate } from '../../store/payments/payment-transition.ts';
import { mayHaveBeenCreated } from '../../store/payments/request-history.ts';
import { readApproval } from '../../store/payments/payment-requests.ts';
import { refuseUnapproved } from '../approvals/approved-row.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { superseded } from './record-if-current.ts';

/**
 * Stops sending a payment after a step failed for days, or by a defect of ours. It is held if the provider provably does
 * not have it, else unknown. In neither case is it paid again automatically.
 */
export function giveUpPaymentActivity({ database, now }: ActivityDependencies) {
  return async function giveUpPayment({ paymentId }: { paymentId: string }): Promise<{ state: PaymentState }> {
    const { payment, approved } = await readApproval(database, { paymentId, at: new Date(now()), dataKeys: [] });
    if (hasEnded(payment.state) || payment.state === 'held') return { state: payment.state };
    const mayExist = payment.providerPaymentId !== null || (await mayHaveBeenCreated(database, paymentId));
    if (approved === null && !mayExist) return { state: await refuseUnapproved(database, payment, 'give_up') };
    // guard: given-up-as-unknown
    const to = mayExist ? 'unknown' : 'held';
    const update = {
      error_code: 'step_failed',
      error_message: mayExist
        ? 'a step failed, and it is not known what the provider has of this payment'
        : 'a step failed; the provider does not have this payment',
      ...(mayExist ? { ended_at: new Date(now()) } : {}),
    } satisfies PaymentUpdate;
    const untilCreated = !mayExist;
    const state = await transitionPayment(database, { paymentId, to, kind: 'given_up', update, untilCreated });
    if (state === null) throw superseded();
    return { state };
  };
}
