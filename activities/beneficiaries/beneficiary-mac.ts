import { canonicalJson } from '../../domain/canonical-json.ts';
import type { KnownBeneficiary } from '../../domain/beneficiaries/known-beneficiary.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { Mac } from '../../provider/mac.ts';
import type { ShownBeneficiary } from '../../store/beneficiaries/provider-beneficiaries.ts';
import { knownIdentityHashesOf, type TextHash } from '../../domain/runs/row-identity.ts';

/** Says that the provider's beneficiary with this id was created from, or compared with, the approved details. */
export function macBeneficiary(
  mac: Mac,
  instruction: Pick<PaymentInstruction, 'beneficiary'>,
  beneficiaryId: string,
): string {
  return mac.of('beneficiary', canonicalJson(instruction.beneficiary), beneficiaryId);
}

export function hasValidBeneficiaryMac(
  mac: Mac,
  instruction: Pick<PaymentInstruction, 'beneficiary'>,
  known: { beneficiaryId: string; mac: string | null },
): boolean {
  // guard: mac-of-beneficiary
  return mac.matches(known.mac, 'beneficiary', canonicalJson(instruction.beneficiary), known.beneficiaryId);
}

/** Says that the provider showed these details for this id, or others with the same account, routing and name. */
export function macShownBeneficiary(
  mac: Mac,
  hash: TextHash,
  { beneficiaryId, known }: { beneficiaryId: string; known: KnownBeneficiary },
): string {
  const { accountHash, routingHash, nameHash } = knownIdentityHashesOf(hash, known);
  return mac.of('shown_beneficiary', beneficiaryId, canonicalJson(known), accountHash, routingHash, nameHash);
}

export function hasValidShownMac(mac: Mac, shown: Omit<ShownBeneficiary, 'countries'>): boolean {
  const { beneficiaryId, known, accountHash, routingHash, nameHash } = shown;
  const values = [beneficiaryId, canonicalJson(known), accountHash, routingHash, nameHash];
  // guard: mac-of-shown-beneficiary
  return mac.matches(shown.mac, 'shown_beneficiary', ...values);
}
