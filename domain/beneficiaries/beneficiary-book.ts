import type { BeneficiaryDetails } from '../payments/payment-instruction.ts';

/**
 * The book of beneficiaries: bank accounts by a key that people choose for whom they belong to, as a supplier number. A beneficiary is all
 * that has one key. Each account is added by one person and confirmed by another.
 */

export const BENEFICIARY_KEY = /^[A-Z0-9][A-Z0-9._/-]{0,63}$/;

/** The key as it is stored and compared: capitals. */
export function beneficiaryKeyOf(text: string): string {
  return text.trim().toUpperCase();
}

/** An account that rows may be paid to. Personal data. */
export interface BookAccount {
  details: BeneficiaryDetails;
  isConfirmed: boolean;
}

/** By keys, those that the rows of a file name; none of a key: the book has it, and no account that fills rows. */
export type BeneficiaryBook = ReadonlyMap<string, readonly BookAccount[]>;

/** How an account was confirmed. Personal data. */
export interface AccountConfirmation {
  /** Null: nobody was called. */
  called: {
    person: string;
    number: string;
    /** Where the number was known from before, as an earlier contract. */
    numberFrom: string;
  } | null;
  note: string;
}
