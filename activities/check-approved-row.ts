import { createHash } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { canonicalJson } from '../domain/canonical-json.ts';
import type { PaymentInstruction } from '../domain/payment-instruction.ts';
import type { PaymentRecord } from '../store/payments.ts';

/** SHA-256 of a row's instruction, in hexadecimal: what an approval is bound to. */
export function hashOfRow(instruction: PaymentInstruction): string {
  return createHash('sha256').update(canonicalJson(instruction)).digest('hex');
}

/** The instruction, if it is still the one that was approved. Anything else is never paid: it needs a person. */
export function approvedInstruction(payment: PaymentRecord, rowHash: string): PaymentInstruction {
  const { instruction } = payment;
  if (instruction === null || payment.rowHash !== rowHash || hashOfRow(instruction) !== rowHash) {
    throw ApplicationFailure.nonRetryable(
      `payment ${payment.paymentId}: its row is not the one that was approved`,
      'row_not_as_approved',
    );
  }
  return instruction;
}
