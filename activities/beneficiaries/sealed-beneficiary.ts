import { canonicalJson } from '../../domain/canonical-json.ts';
import type { KnownBeneficiary } from '../../domain/beneficiaries/known-beneficiary.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { RecordSeal } from '../../provider/record-seal.ts';
import type { ShownBeneficiary } from '../../store/beneficiaries/provider-beneficiaries.ts';
import { beneficiaryHashOf, knownIdentityHashesOf } from '../../domain/runs/row-identity.ts';

/** Seals that the provider's beneficiary with this id was created from, or compared with, the approved details. */
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
  // guard: seal-of-beneficiary
  return seal.matches(known.seal, 'beneficiary', beneficiaryHashOf(instruction), known.beneficiaryId);
}

/** Seals that the provider showed these details for this id, or others with the same account, routing and name. */
export function sealShown(
  seal: RecordSeal,
  { beneficiaryId, known }: { beneficiaryId: string; known: KnownBeneficiary },
): string {
  const { accountHash, routingHash, nameHash } = knownIdentityHashesOf(known);
  return seal.of('shown_beneficiary', beneficiaryId, canonicalJson(known), accountHash, routingHash, nameHash);
}

export function isSealedShown(seal: RecordSeal, shown: ShownBeneficiary): boolean {
  const { beneficiaryId, known, accountHash, routingHash, nameHash } = shown;
  const sealed = [beneficiaryId, canonicalJson(known), accountHash, routingHash, nameHash];
  // guard: seal-of-shown-beneficiary
  return seal.matches(shown.seal, 'shown_beneficiary', ...sealed);
}
