import type { BeneficiaryDetails } from '../payments/payment-instruction.ts';

type BankAccount = BeneficiaryDetails['bankAccount'];

/**
 * A beneficiary as far as it is known: everything that a row describes, or whatever the provider shows of one that a
 * row names by its id. Personal data.
 */
export interface KnownBeneficiary
  extends Partial<Pick<BeneficiaryDetails, 'companyName' | 'firstName' | 'lastName' | 'intermediaryBank'>> {
  bankAccount: Partial<BankAccount>;
}

const NAMES = ['companyName', 'firstName', 'lastName'] as const;

const OF_THE_ACCOUNT = [
  'country',
  'currency',
  'bankName',
  'bankAccountHolderName',
  'address',
  'accountNumber',
  'iban',
  'bicSwift',
  'aba',
  'sortCode',
  'bsbCode',
  'ifscCode',
  'clabe',
  'cnaps',
  'bankCode',
  'branchCode',
  'institutionNo',
] as const satisfies readonly (keyof BankAccount)[];

const OF_THE_INTERMEDIARY = ['bankName', 'accountNumber', 'address', 'bicSwift'] as const;

/** What an answer of the provider shows of a beneficiary. What is null, empty or no text there is not known. */
export function knownBeneficiaryOf(shown: Readonly<Record<string, unknown>>): KnownBeneficiary {
  const intermediaryBank = textsOf(shown['intermediaryBank'], OF_THE_INTERMEDIARY);
  return {
    ...textsOf(shown, NAMES),
    bankAccount: textsOf(shown['bankAccount'], OF_THE_ACCOUNT),
    ...(Object.keys(intermediaryBank).length === 0 ? {} : { intermediaryBank }),
  };
}

function textsOf<Name extends string>(from: unknown, names: readonly Name[]): Partial<Record<Name, string>> {
  const texts: Partial<Record<Name, string>> = {};
  if (typeof from !== 'object' || from === null) return texts;
  for (const name of names) {
    const value = (from as Record<string, unknown>)[name];
    if (typeof value === 'string' && value.trim() !== '') texts[name] = value;
  }
  return texts;
}

/** A bank account for the eyes of those who decide. Each part is null where it is not known. */
export interface ShownAccount {
  iban: string | null;
  /** The account's number where it has no IBAN; a CLABE among them. */
  accountNumber: string | null;
  /** Codes of the bank and the branch in words, as `BIC COBADEFF, sort code 200000`. */
  bankCode: string | null;
  bankName: string | null;
  /** Who holds the account, as the bank is told: it may differ from the beneficiary's name. */
  holder: string | null;
  /** Of the bank: ISO 3166-1 alpha-2. */
  country: string | null;
  /** The bank that the money goes through, where one is named. */
  intermediaryBank: string | null;
}

const CODE_WORDS = [
  ['bicSwift', 'BIC'],
  ['aba', 'ABA'],
  ['sortCode', 'sort code'],
  ['bsbCode', 'BSB'],
  ['ifscCode', 'IFSC'],
  ['cnaps', 'CNAPS'],
  ['institutionNo', 'institution'],
  ['bankCode', 'bank code'],
  ['branchCode', 'branch code'],
] as const;

/** Null where neither an IBAN nor a number of the account is known. */
export function shownAccountOf({ bankAccount, intermediaryBank }: KnownBeneficiary): ShownAccount | null {
  const { iban, clabe, accountNumber, bankName, bankAccountHolderName, country } = bankAccount;
  if (iban === undefined && clabe === undefined && accountNumber === undefined) return null;
  const codes = CODE_WORDS.flatMap(([field, words]) => {
    const code = bankAccount[field];
    return code === undefined ? [] : [`${words} ${code}`];
  });
  if (clabe !== undefined && accountNumber !== undefined) codes.push(`CLABE ${clabe}`);
  if (iban !== undefined && accountNumber !== undefined) codes.push(`account number ${accountNumber}`);
  return {
    iban: iban ?? null,
    accountNumber: iban === undefined ? (accountNumber ?? clabe ?? null) : null,
    bankCode: codes.length === 0 ? null : codes.join(', '),
    bankName: bankName ?? null,
    holder: bankAccountHolderName ?? null,
    country: country ?? null,
    intermediaryBank: intermediaryBank === undefined ? null : intermediaryWords(intermediaryBank),
  };
}

function intermediaryWords(bank: NonNullable<KnownBeneficiary['intermediaryBank']>): string | null {
  const { bankName, bicSwift, accountNumber, address } = bank;
  const parts = [
    bankName,
    bicSwift === undefined ? undefined : `BIC ${bicSwift}`,
    accountNumber === undefined ? undefined : `account ${accountNumber}`,
    address,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? null : parts.join(', ');
}
