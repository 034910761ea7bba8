import {
  accountText,
  beneficiaryFingerprintText,
  nameText,
  routingText,
} from '../beneficiaries/beneficiary-identity.ts';
import { canonicalJson } from '../canonical-json.ts';
import { type KnownBeneficiary, shownAccountOf } from '../beneficiaries/known-beneficiary.ts';
import type { BeneficiaryDetails, PaymentInstruction } from '../payments/payment-instruction.ts';
import { contentSha256 } from '../sha256.ts';

/** Over all content of a row: an approval covers it. */
export function rowHashOf(instruction: PaymentInstruction): string {
  return contentSha256(canonicalJson(instruction));
}

/** Over every detail of the beneficiary, or the provider's id of it: identifies the beneficiary that payrun creates. */
export function beneficiaryHashOf({ beneficiary }: Pick<PaymentInstruction, 'beneficiary'>): string {
  return contentSha256(canonicalJson(beneficiary));
}

/** Equal for rows that pay the same holder at the same account, whatever else they say. */
export function beneficiaryFingerprintOf(instruction: PaymentInstruction): string {
  const { beneficiary } = instruction;
  return beneficiary.kind === 'existing'
    ? contentSha256(`beneficiary ${beneficiary.beneficiaryId}`)
    : contentSha256(beneficiaryFingerprintText(beneficiary.details));
}

/** Hashes that identify a beneficiary: of the bank account, the routing to it, and the name. */
export interface IdentityHashes {
  accountHash: string;
  routingHash: string;
  nameHash: string;
}

export function identityHashesOf(details: BeneficiaryDetails): IdentityHashes {
  return {
    accountHash: contentSha256(accountText(details)),
    routingHash: contentSha256(routingText(details)),
    nameHash: contentSha256(nameText(details)),
  };
}

export type KnownIdentity = { [Hash in keyof IdentityHashes]: string | null };

const UNKNOWN_IDENTITY: KnownIdentity = { accountHash: null, routingHash: null, nameHash: null };

/** For a beneficiary that the provider shows; null for what it leaves out. */
export function knownIdentityHashesOf(known: KnownBeneficiary | null): KnownIdentity {
  if (known === null) return UNKNOWN_IDENTITY;
  const name = nameText(known);
  const hasAccount = shownAccountOf(known) !== null;
  return {
    accountHash: hasAccount ? contentSha256(accountText(known)) : null,
    routingHash: hasAccount ? contentSha256(routingText(known)) : null,
    nameHash: name === '' ? null : contentSha256(name),
  };
}

/** The hashes stored with a row. If it names a beneficiary by its id, only the provider knows the account. */
export interface RowHashes extends KnownIdentity {
  rowHash: string;
  beneficiaryHash: string;
  beneficiaryFingerprint: string;
}

export function rowHashesOf(instruction: PaymentInstruction): RowHashes {
  const { beneficiary } = instruction;
  return {
    rowHash: rowHashOf(instruction),
    beneficiaryHash: beneficiaryHashOf(instruction),
    beneficiaryFingerprint: beneficiaryFingerprintOf(instruction),
    ...(beneficiary.kind === 'details' ? identityHashesOf(beneficiary.details) : UNKNOWN_IDENTITY),
  };
}
