import { createHash } from 'node:crypto';
import { beneficiaryFingerprintText } from '../domain/beneficiary-fingerprint.ts';
import { canonicalJson } from '../domain/canonical-json.ts';
import type { PaymentInstruction } from '../domain/payment-instruction.ts';

function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

/** What an approval is bound to, row by row. */
export function rowHashOf(instruction: PaymentInstruction): string {
  return sha256(canonicalJson(instruction));
}

/** The same for two rows that pay the same bank account, whatever else they say. */
export function payeeFingerprintOf(instruction: PaymentInstruction): string {
  const { beneficiary } = instruction;
  return beneficiary.kind === 'existing'
    ? sha256(`beneficiary ${beneficiary.beneficiaryId}`)
    : sha256(beneficiaryFingerprintText(beneficiary.details));
}

export function contentSha256(bytes: Uint8Array): string {
  return sha256(bytes);
}

/** What an approval of a whole run is bound to: the hashes of its rows to be paid, in order. */
export function contentHashOf(rowHashes: readonly string[]): string {
  return sha256(rowHashes.join('\n'));
}
