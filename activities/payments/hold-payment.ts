import { dayOf } from '../../domain/calendar-date.ts';
import type { PaymentErrorCode } from '../../domain/payments/payment-error-codes.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import { readApproval } from '../../store/payments/payment-requests.ts';
import type { PaymentUpdate } from '../../store/payments/payment-transition.ts';
import { refuseUnapproved } from '../approvals/approved-row.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { unknownIfCreated } from './uncertain-creation.ts';

/** Holds an approved payment for a person to look at; one that the provider may already have becomes `unknown`. */
export function holdPaymentActivity({ database, now }: ActivityDependencies) {
  return async function holdPayment(hold: {
    paymentId: string;
    code: PaymentErrorCode;
    message: string;
  }): Promise<{ state: PaymentState }> {
    const { payment, approved } = await readApproval(database, hold.paymentId, dayOf(now()));
    if (approved === null) {
      return { state: await refuseUnapproved(database, payment, 'hold') };
    }
    const update = { error_code: hold.code, error_message: hold.message } satisfies PaymentUpdate;
    const transition = await unknownIfCreated(database, hold, { to: 'held', update }, now());
    const detail = { code: hold.code };
    await transitionPayment(database, {
      paymentId: hold.paymentId,
      kind: 'held',
      ...transition,
      detail,
      untilCreated: true,
    });
    return { state: transition.to };
  };
}
