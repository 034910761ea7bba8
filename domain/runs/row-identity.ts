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

/** Hashes a text with a key of the installation: without it nobody finds by trying what was hashed. */
export type TextHash = (text: string) => string;

/** Over all content of a row, its beneficiary by the hash of it: an approval covers it. */
export function rowHashOf(
  hash: TextHash,
  instruction: PaymentInstruction,
  beneficiaryHash = beneficiaryHashOf(hash, instruction),
): string {
  return hash(canonicalJson({ ...instruction, beneficiary: beneficiaryHash }));
}

/** Over every detail of the beneficiary, or the provider's id of it: identifies the beneficiary that payrun creates. */
export function beneficiaryHashOf(hash: TextHash, { beneficiary }: Pick<PaymentInstruction, 'beneficiary'>): string {
  return hash(canonicalJson(beneficiary));
}

/**
 * Equal for rows that pay the same holder at the same account, whatever else they say. Of one that is named by the provider's id the
 * database makes it too, so it has no key: there is nothing to find.
 */
export function beneficiaryFingerprintOf(hash: TextHash, instruction: PaymentInstruction): string {
  const { beneficiary } = instruction;
  return beneficiary.kind === 'existing'
    ? contentSha256(`beneficiary ${beneficiary.beneficiaryId}`)
    : hash(beneficiaryFingerprintText(beneficiary.details));
}

/** Hashes that identify a beneficiary: of the bank account, the routing to it, and the name. */
export interface IdentityHashes {
  accountHash: string;
  routingHash: string;
  nameHash: string;
}

export function identityHashesOf(hash: TextHash, details: BeneficiaryDetails): IdentityHashes {
  return {
    accountHash: hash(accountText(details)),
    routingHash: hash(routingText(details)),
    nameHash: hash(nameText(details)),
  };
}

export type KnownIdentity = { [Hash in keyof IdentityHashes]: string | null };

const UNKNOWN_IDENTITY: KnownIdentity = { accountHash: null, routingHash: null, nameHash: null };

/** For a beneficiary that the provider shows; null for what it leaves out. */
export function knownIdentityHashesOf(hash: TextHash, known: KnownBeneficiary | null): KnownIdentity {
  if (known === null) return UNKNOWN_IDENTITY;
  const name = nameText(known);
  const hasAccount = shownAccountOf(known) !== null;
  return {
    accountHash: hasAccount ? hash(accountText(known)) : null,
    routingHash: hasAccount ? hash(routingText(known)) : null,
    nameHash: name === '' ? null : hash(name),
  };
}

/** The hashes stored with a row. If it names a beneficiary by its id, only the provider knows the account. */
export interface RowHashes extends KnownIdentity {
  rowHash: string;
  beneficiaryHash: string;
  beneficiaryFingerprint: string;
}

export function rowHashesOf(hash: TextHash, instruction: PaymentInstruction): RowHashes {
  const { beneficiary } = instruction;
  const beneficiaryHash = beneficiaryHashOf(hash, instruction);
  return {
    rowHash: rowHashOf(hash, instruction, beneficiaryHash),
    beneficiaryHash,
    beneficiaryFingerprint: beneficiaryFingerprintOf(hash, instruction),
    ...(beneficiary.kind === 'details' ? identityHashesOf(hash, beneficiary.details) : UNKNOWN_IDENTITY),
  };
}
