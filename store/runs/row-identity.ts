import { createHash } from 'node:crypto';
import {
  accountText,
  beneficiaryFingerprintText,
  nameText,
  routingText,
} from '../../domain/beneficiaries/beneficiary-identity.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { type KnownBeneficiary, shownAccountOf } from '../../domain/beneficiaries/known-beneficiary.ts';
import type { BeneficiaryDetails, PaymentInstruction } from '../../domain/payments/payment-instruction.ts';

function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

export function contentSha256(bytes: Uint8Array): string {
  return sha256(bytes);
}

/** What an approval covers of a row: everything that it says. */
export function rowHashOf(instruction: PaymentInstruction): string {
  return sha256(canonicalJson(instruction));
}

/** Every detail of the beneficiary, or the provider's id of it: by this the provider's own beneficiaries are kept. */
export function beneficiaryHashOf({ beneficiary }: Pick<PaymentInstruction, 'beneficiary'>): string {
  return sha256(canonicalJson(beneficiary));
}

/** The same for two rows that pay the same holder at the same account, whatever else they say. */
export function beneficiaryFingerprintOf(instruction: PaymentInstruction): string {
  const { beneficiary } = instruction;
  return beneficiary.kind === 'existing'
    ? sha256(`beneficiary ${beneficiary.beneficiaryId}`)
    : sha256(beneficiaryFingerprintText(beneficiary.details));
}

/** By what a beneficiary is known again: the bank account, the way to it, and the name. */
export interface IdentityHashes {
  accountHash: string;
  routingHash: string;
  nameHash: string;
}

export function identityHashesOf(details: BeneficiaryDetails): IdentityHashes {
  return {
    accountHash: sha256(accountText(details)),
    routingHash: sha256(routingText(details)),
    nameHash: sha256(nameText(details)),
  };
}

export type KnownIdentity = { [Hash in keyof IdentityHashes]: string | null };

const UNKNOWN_IDENTITY: KnownIdentity = { accountHash: null, routingHash: null, nameHash: null };

/** The same of a beneficiary that the provider shows; null for what it leaves out. */
export function knownIdentityHashesOf(known: KnownBeneficiary | null): KnownIdentity {
  if (known === null) return UNKNOWN_IDENTITY;
  const name = nameText(known);
  const hasAccount = shownAccountOf(known) !== null;
  return {
    accountHash: hasAccount ? sha256(accountText(known)) : null,
    routingHash: hasAccount ? sha256(routingText(known)) : null,
    nameHash: name === '' ? null : sha256(name),
  };
}

/** The hashes that a row is stored with. Of a beneficiary that is named by its id, only the provider knows the account. */
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

/** What an approval of a whole run covered in the version before: the hashes of its rows to be paid, in order. */
export function formerContentHashOf(rowHashes: readonly string[]): string {
  return sha256(rowHashes.join('\n'));
}
