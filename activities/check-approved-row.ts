import type { PaymentInstruction } from '../domain/payment-instruction.ts';
import type { PaymentRecord } from '../store/payments.ts';
import { rowHashOf } from '../store/row-identity.ts';

/** The instruction, if it is still the one that was approved. Null: it is not, and must not be paid. */
export function approvedInstruction(payment: PaymentRecord, rowHash: string): PaymentInstruction | null {
  const { instruction } = payment;
  const isAsApproved = instruction !== null && payment.rowHash === rowHash && rowHashOf(instruction) === rowHash;
  return isAsApproved ? instruction : null;
}

/** How a row that is not as approved is set aside, for a person to look at. */
export const NOT_AS_APPROVED = {
  to: 'held',
  facts: { error_code: 'row_not_as_approved', error_message: 'the row is not the one that was approved' },
} as const;
