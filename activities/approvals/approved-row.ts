import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { Queryable } from '../../store/database/database.ts';
import { type ApprovedContent, repeatsContradicted } from '../../store/payments/payment-requests.ts';
import type { PaymentRecord } from '../../store/payments/payments.ts';
import type { PayeeData } from '../../store/personal-data/payee-data.ts';
import { openContent, plainInstruction, type StoredContent } from '../../store/runs/row-content.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import {
  beneficiaryFingerprintOf,
  beneficiaryHashOf,
  identityHashesOf,
  rowHashOf,
  type TextHash,
} from '../../domain/runs/row-identity.ts';
import { refuseRequest } from '../../store/payments/unapproved.ts';

/**
 * The payment's instruction, if it is the one that was approved. The hashes are computed from what is about to be sent.
 * Null: it is not, or its data is erased, and it must not be paid. @throws DataKeyMissing, DecryptionFailed
 */
export function approvedInstruction(
  payees: PayeeData,
  payment: StoredRow,
  approved: ApprovedContent | null,
): PaymentInstruction | null {
  if (approved === null) return null;
  const instruction = openContent(payees, payment)?.instruction ?? null;
  if (instruction === null) return null;
  // guard: row-compared
  const isRowApproved = rowHashOf(payees.hash, instruction) === approved.rowHash;
  // guard: beneficiary-compared
  const isBeneficiaryApproved = beneficiaryHashOf(payees.hash, instruction) === approved.beneficiaryHash;
  // guard: account-compared
  return isRowApproved && isBeneficiaryApproved && isAsJudged(payees.hash, instruction, payment) ? instruction : null;
}

type StoredRow = StoredContent &
  Pick<PaymentRecord, 'beneficiaryFingerprint' | 'accountHash' | 'routingHash' | 'nameHash'>;

/**
 * Whether what is recorded beside the instruction is what the instruction gives. The approval policy and the findings were judged by it:
 * with the hashes of another account, routing or name, the fingerprint of another beneficiary, or with other countries, the row could have passed with fewer approvals or
 * without a finding. Of a beneficiary that is named by the provider's id, what the provider shows of it is compared.
 */
function isAsJudged(
  hash: TextHash,
  instruction: PaymentInstruction,
  { plain, beneficiaryFingerprint, accountHash, routingHash, nameHash }: StoredRow,
): boolean {
  // guard: plain-compared
  if (canonicalJson(plain) !== canonicalJson(plainInstruction(hash, instruction))) return false;
  // guard: fingerprint-compared
  if (beneficiaryFingerprint !== beneficiaryFingerprintOf(hash, instruction)) return false;
  const { beneficiary } = instruction;
  // guard: only-named-without-hash
  if (beneficiary.kind !== 'details') return accountHash === null && routingHash === null && nameHash === null;
  const actual = identityHashesOf(hash, beneficiary.details);
  return accountHash === actual.accountHash && routingHash === actual.routingHash && nameHash === actual.nameHash;
}

/** The reason given for a row whose content is not the approved one. */
export const NOT_AS_APPROVED = {
  error_code: 'row_not_as_approved',
  error_message: 'the row is not the one that was approved',
} as const;

/** The reason given for a row that was approved while people had called the row that it repeats unpaid. */
const REPEATS_CONTRADICTED = {
  error_code: 'repeats_contradicted',
  error_message: 'it repeats a row that two people had resolved as unpaid, and that the provider shows after all',
} as const;

/**
 * Audits the attempt to send something unapproved, and holds the row (or makes it `unknown`) if its run was approved. A row
 * of an undecided run stays as it is: the approvers decide on what they see. Returns the row's state afterwards.
 */
export async function refuseUnapproved(
  database: Queryable,
  payment: Pick<PaymentRecord, 'paymentId'>,
  operation: string,
): Promise<PaymentState> {
  const { paymentId } = payment;
  const reason = (await repeatsContradicted(database, paymentId)) ? REPEATS_CONTRADICTED : NOT_AS_APPROVED;
  return refuseRequest(database, { paymentId, operation, ...reason });
}
