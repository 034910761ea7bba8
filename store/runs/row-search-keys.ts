import { invoiceNumberOf } from '../../domain/payments/invoice-number.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { TextHash } from '../../domain/runs/row-identity.ts';

/**
 * Rows are searched by keyed hashes: of each word of the holder's name, of the whole payment reference, and of the last characters
 * of the account number. Nobody without the key finds a name by trying, and nothing is found by a part of a word.
 */

/** Decimal strings of 64 bits each, for a column `bigint[]`. */
export type SearchKey = string;

export function searchKeysOf(hash: TextHash, instruction: PaymentInstruction): SearchKey[] {
  const { beneficiary, paymentReference } = instruction;
  const account = beneficiary.kind === 'details' ? beneficiary.details.bankAccount : null;
  const number = account?.iban ?? account?.accountNumber;
  const keys = [
    ...nameKeys(hash, account?.bankAccountHolderName ?? ''),
    referenceKey(hash, paymentReference),
    ...(number === undefined ? [] : [accountEndKey(hash, number.slice(-ACCOUNT_END))]),
  ];
  return [...new Set(keys)];
}

const ACCOUNT_END = 4;
/** Longer names are found by their first words. */
const MAX_WORDS = 12;

/** A row has all of them if its holder's name has all words of the text, in any order. None: the text has no word. */
export function nameKeys(hash: TextHash, text: string): SearchKey[] {
  const words = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return words.slice(0, MAX_WORDS).map((word) => keyOf(hash, 'word', folded(word)));
}

export function referenceKey(hash: TextHash, reference: string): SearchKey {
  return keyOf(hash, 'reference', reference.trim().toLowerCase());
}

export function accountEndKey(hash: TextHash, end: string): SearchKey {
  return keyOf(hash, 'account-end', end.toUpperCase());
}

/** Null: the reference has no number of an invoice. */
export function invoiceKeyOf(hash: TextHash, { paymentReference }: PaymentInstruction): SearchKey | null {
  const number = invoiceNumberOf(paymentReference);
  return number === null ? null : keyOf(hash, 'invoice', number);
}

/** Letters that Unicode does not take apart. */
const SINGLE_LETTERS: Readonly<Record<string, string>> = {
  ß: 's',
  ø: 'o',
  æ: 'a',
  œ: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 't',
  ı: 'i',
  ħ: 'h',
};

function folded(word: string): string {
  return word.replaceAll(/[ßøæœłđðþıħ]/g, (letter) => SINGLE_LETTERS[letter] ?? letter);
}

function keyOf(hash: TextHash, kind: string, text: string): SearchKey {
  return BigInt.asIntN(64, BigInt(`0x${hash(`${kind} ${text}`).slice(0, 16)}`)).toString();
}
