import { dayOf } from '../../domain/calendar-date.ts';
import type { PaymentErrorCode } from '../../domain/payments/payment-error-codes.ts';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import { readApproval } from '../../store/payments/payment-requests.ts';
import { refuseUnapproved } from '../approvals/approved-row.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** Holds an approved payment that is not yet created, for a person to look at. */
export function holdPaymentActivity({ database, now }: ActivityDependencies) {
  return async function holdPayment(hold: {
    paymentId: string;
    code: PaymentErrorCode;
    message: string;
  }): Promise<void> {
    const { payment, approved } = await readApproval(database, hold.paymentId, dayOf(now()));
    if (approved === null) {
      await refuseUnapproved(database, payment, 'hold');
      return;
    }
    await transitionPayment(database, {
      paymentId: hold.paymentId,
      to: 'held',
      kind: 'held',
      update: { error_code: hold.code, error_message: hold.message },
      detail: { code: hold.code },
      untilCreated: true,
    });
  };
}
