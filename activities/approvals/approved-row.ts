import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { Queryable } from '../../store/database/database.ts';
import type { ApprovedContent } from '../../store/payments/payment-requests.ts';
import type { PaymentRecord } from '../../store/payments/payments.ts';
import { beneficiaryHashOf, identityHashesOf, rowHashOf } from '../../domain/runs/row-identity.ts';
import { refuseRequest } from '../../store/payments/unapproved.ts';

/**
 * The payment's instruction, if it is the one that was approved. The hashes are computed from what is about to be sent.
 * Null: it is not, and must not be paid.
 */
export function approvedInstruction(
  payment: Pick<PaymentRecord, 'instruction' | 'accountHash' | 'routingHash' | 'nameHash'>,
  approved: ApprovedContent | null,
): PaymentInstruction | null {
  const { instruction } = payment;
  if (instruction === null || approved === null) return null;
  // guard: row-compared
  const isRowApproved = rowHashOf(instruction) === approved.rowHash;
  // guard: beneficiary-compared
  const isBeneficiaryApproved = beneficiaryHashOf(instruction) === approved.beneficiaryHash;
  // guard: account-compared
  return isRowApproved && isBeneficiaryApproved && hasJudgedIdentity(instruction, payment) ? instruction : null;
}

/**
 * Whether the recorded hashes are those of the instruction. The approval policy and the findings were judged by them: with
 * the hashes of another account, routing or name, the row could have passed with fewer approvals or without a finding. If
 * the account has no hash, the approvers were shown that it is not known.
 */
function hasJudgedIdentity(
  { beneficiary }: PaymentInstruction,
  { accountHash, routingHash, nameHash }: Pick<PaymentRecord, 'accountHash' | 'routingHash' | 'nameHash'>,
): boolean {
  if (accountHash === null) return true;
  if (beneficiary.kind !== 'details') return false;
  const actual = identityHashesOf(beneficiary.details);
  return accountHash === actual.accountHash && routingHash === actual.routingHash && nameHash === actual.nameHash;
}

/** The reason given for a row whose content is not the approved one. */
export const NOT_AS_APPROVED = {
  error_code: 'row_not_as_approved',
  error_message: 'the row is not the one that was approved',
} as const;

/**
 * Audits the attempt to send something unapproved, and holds the row (or makes it `unknown`) if its run was approved. A row
 * of an undecided run stays as it is: the approvers decide on what they see. Returns the row's state afterwards.
 */
export function refuseUnapproved(
  database: Queryable,
  payment: Pick<PaymentRecord, 'paymentId'>,
  operation: string,
): Promise<PaymentState> {
  return refuseRequest(database, { paymentId: payment.paymentId, operation, ...NOT_AS_APPROVED });
}
