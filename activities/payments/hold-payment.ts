import { ApplicationFailure } from '@temporalio/common';
import type { PaymentErrorCode } from '../../domain/payments/payment-error-codes.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import { readApproval } from '../../store/payments/payment-requests.ts';
import type { PaymentUpdate } from '../../store/payments/payment-transition.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { refuseUnapproved } from '../approvals/approved-row.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** Why a workflow holds a payment, in the words that people read: whoever reaches Temporal must not write them. */
const REASONS = {
  upload_refused: 'the provider does not accept a supporting file',
  upload_not_answered: 'the storage host for a supporting file has not answered for hours',
} as const satisfies Partial<Record<PaymentErrorCode, string>>;

export type HoldReason = keyof typeof REASONS;

/**
 * Holds an approved payment for a person to look at; one that the provider may already have becomes `unknown`. Answers the
 * state that it has afterwards: one that is being created, or was meanwhile, stays as it is.
 */
export function holdPaymentActivity({ database, now }: ActivityDependencies) {
  return async function holdPayment(hold: { paymentId: string; code: HoldReason }): Promise<{ state: PaymentState }> {
    if (!Object.hasOwn(REASONS, hold.code)) throw ApplicationFailure.nonRetryable('nothing is held so', 'unknown_code');
    const { paymentId } = hold;
    const { payment, approved } = await readApproval(database, { paymentId, at: new Date(now()), dataKeys: [] });
    if (approved === null) {
      return { state: await refuseUnapproved(database, payment, 'hold') };
    }
    const update = { error_code: hold.code, error_message: REASONS[hold.code] } satisfies PaymentUpdate;
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
