import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { Queryable } from '../../store/database/database.ts';
import type { ApprovedContent } from '../../store/payments/payment-requests.ts';
import type { PaymentRecord } from '../../store/payments/payments.ts';
import { beneficiaryHashOf, identityHashesOf, rowHashOf } from '../../store/runs/row-identity.ts';
import { refuseRequest } from '../../store/payments/unapproved.ts';

/**
 * The instruction, when it is what was approved: its hashes are computed here from what is about to be sent. Null: it is
 * not, and must not be paid.
 */
export function approvedInstruction(
  payment: Pick<PaymentRecord, 'instruction' | 'accountHash' | 'routingHash' | 'nameHash'>,
  approved: ApprovedContent | null,
): PaymentInstruction | null {
  const { instruction } = payment;
  if (instruction === null || approved === null) return null;
  const rowFits = rowHashOf(instruction) === approved.rowHash;
  const beneficiaryFits =
    approved.beneficiaryHash === null || beneficiaryHashOf(instruction) === approved.beneficiaryHash;
  return rowFits && beneficiaryFits && isAsJudged(instruction, payment) ? instruction : null;
}

/**
 * By these hashes the policy and what stands out are judged: of another account, way to it or name, the row could have
 * been spared an approval or an alarm. Without one of the account, it is told to those who decide as not known.
 */
function isAsJudged(
  { beneficiary }: PaymentInstruction,
  { accountHash, routingHash, nameHash }: Pick<PaymentRecord, 'accountHash' | 'routingHash' | 'nameHash'>,
): boolean {
  if (accountHash === null) return true;
  if (beneficiary.kind !== 'details') return false;
  const made = identityHashesOf(beneficiary.details);
  return accountHash === made.accountHash && routingHash === made.routingHash && nameHash === made.nameHash;
}

/** How a row that is not as approved is set aside, for a person to look at. */
export const NOT_AS_APPROVED = {
  error_code: 'row_not_as_approved',
  error_message: 'the row is not the one that was approved',
} as const;

/**
 * Writes down that something was to be sent which nobody approved, and sets the row aside if its run was approved. A row
 * of a run that is still undecided is left as it is: it is decided on as it is seen. Answers the row's state afterwards.
 */
export function refuseUnapproved(
  database: Queryable,
  payment: Pick<PaymentRecord, 'paymentId'>,
  operation: string,
): Promise<PaymentState> {
  return refuseRequest(database, { paymentId: payment.paymentId, operation, ...NOT_AS_APPROVED });
}
