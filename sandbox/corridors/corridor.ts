/** The fields of a bank account that a corridor can require. Contract: payments 2.1. */
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

/** Anchored regular expressions of the required fields. */
export type Patterns<Field extends string> = Readonly<Partial<Record<Field, string>>>;

/** How payments in a currency reach the banks of a country. */
export interface Corridor {
  readonly currency: string;
  readonly bankCountry: string;
  /** LOCAL uses the country's own clearing, SWIFT uses correspondent banks. */
  readonly network: 'LOCAL' | 'SWIFT';
  readonly bankAccount: Patterns<BankField>;
}

/** A BIC of a bank in the country, of eight or eleven characters (ISO 9362). */
export const bicPattern = (country: string): string => `^[A-Z]{4}${country}[A-Z0-9]{2}([A-Z0-9]{3})?$`;
