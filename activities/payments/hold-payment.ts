import { dayOf } from '../../domain/calendar-date.ts';
import type { PaymentErrorCode } from '../../domain/payments/payment-error-codes.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import { readApproval } from '../../store/payments/payment-requests.ts';
import type { PaymentUpdate } from '../../store/payments/payment-transition.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { refuseUnapproved } from '../approvals/approved-row.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/**
 * Holds an approved payment for a person to look at; one that the provider may already have becomes `unknown`. Answers the
 * state that it has afterwards: one that is being created, or was meanwhile, stays as it is.
 */
export function holdPaymentActivity({ database, now }: ActivityDependencies) {
  return async function holdPayment(hold: {
    paymentId: string;
    code: PaymentErrorCode;
    message: string;
  }): Promise<{ state: PaymentState }> {
    const { payment, approved } = await readApproval(database, {
      paymentId: hold.paymentId,
      today: dayOf(now()),
      dataKeys: [],
    });
    if (approved === null) {
      return { state: await refuseUnapproved(database, payment, 'hold') };
    }
    const update = { error_code: hold.code, error_message: hold.message } satisfies PaymentUpdate;
    const state = await transitionPayment(database, {
      paymentId: hold.paymentId,
      to: 'held',
      kind: 'held',
      update,
      detail: { code: hold.code },
      untilCreated: true,
    });
    return { state: state ?? (await readPayment(database, hold.paymentId)).state };
  };
}
