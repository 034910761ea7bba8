/** The fields of a bank account that a corridor can ask for. Contract: payments 2.1. */
export const bankFields = [
  'address',
  'accountNumber',
  'bicSwift',
  'iban',
  'cnaps',
  'clabe',
  'aba',
  'sortCode',
  'bsbCode',
  'bankCode',
  'branchCode',
  'institutionNo',
  'ifscCode',
] as const;

export type BankField = (typeof bankFields)[number];

/** Anchored regular expressions by field: the fields that are needed, and their form. */
export type Patterns<Field extends string> = Readonly<Partial<Record<Field, string>>>;

/** A way for a currency to reach the banks of a country. */
export interface Corridor {
  readonly currency: string;
  readonly bankCountry: string;
  /** LOCAL goes by the country's own clearing, SWIFT by correspondent banks. */
  readonly network: 'LOCAL' | 'SWIFT';
  readonly bankAccount: Patterns<BankField>;
}

/** A BIC of a bank in the country, of eight or eleven characters (ISO 9362). */
export const bicPattern = (country: string): string => `^[A-Z]{4}${country}[A-Z0-9]{2}([A-Z0-9]{3})?$`;

export const local = (currency: string, bankCountry: string, bankAccount: Patterns<BankField>): Corridor => ({
  currency,
  bankCountry,
  network: 'LOCAL',
  bankAccount,
});
