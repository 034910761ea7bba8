import type { PaymentInstruction } from '../domain/payment-instruction.ts';
import type { RecordSeal } from '../provider/record-seal.ts';
import { beneficiaryHashOf } from '../store/row-identity.ts';

/** That the provider's beneficiary of this id was made from, or compared with, just the details that were approved. */
export function sealBeneficiary(
  seal: RecordSeal,
  instruction: Pick<PaymentInstruction, 'beneficiary'>,
  beneficiaryId: string,
): string {
  return seal.of('beneficiary', beneficiaryHashOf(instruction), beneficiaryId);
}

export function isSealedBeneficiary(
  seal: RecordSeal,
  instruction: Pick<PaymentInstruction, 'beneficiary'>,
  known: { beneficiaryId: string; seal: string | null },
): boolean {
  return seal.holds(known.seal, 'beneficiary', beneficiaryHashOf(instruction), known.beneficiaryId);
}
