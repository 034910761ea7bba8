import type { BeneficiaryDetails } from '../payments/payment-instruction.ts';

type BankAccount = BeneficiaryDetails['bankAccount'];

/**
 * The known fields of a beneficiary: all that a row describes, or those that the provider shows for a beneficiary named
 * by id. Personal data.
 */
export interface KnownBeneficiary
  extends Partial<Pick<BeneficiaryDetails, 'companyName' | 'firstName' | 'lastName' | 'intermediaryBank'>> {
  bankAccount: Partial<BankAccount>;
}

const NAME_FIELDS = ['companyName', 'firstName', 'lastName'] as const;

const ACCOUNT_FIELDS = [
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

const INTERMEDIARY_FIELDS = ['bankName', 'accountNumber', 'address', 'bicSwift'] as const;

/** From the provider's answer. A field that is null, empty or not a text is unknown. */
export function knownBeneficiaryOf(shown: Readonly<Record<string, unknown>>): KnownBeneficiary {
  const intermediaryBank = textsOf(shown['intermediaryBank'], INTERMEDIARY_FIELDS);
  return {
    ...textsOf(shown, NAME_FIELDS),
    bankAccount: textsOf(shown['bankAccount'], ACCOUNT_FIELDS),
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

/** A bank account as shown to approvers. Unknown parts are null. */
export interface ShownAccount {
  iban: string | null;
  /** The account number or CLABE if the account has no IBAN. */
  accountNumber: string | null;
  /** Codes of the bank and the branch with their names, as `BIC COBADEFF, sort code 200000`. */
  bankCode: string | null;
  bankName: string | null;
  /** The account holder as sent to the bank, which may differ from the beneficiary's name. */
  holder: string | null;
  /** The bank's country, ISO 3166-1 alpha-2. */
  country: string | null;
  /** Null if there is none. */
  intermediaryBank: string | null;
}

const CODE_LABELS = [
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

/** Null if neither an IBAN, a CLABE nor an account number is known. */
export function shownAccountOf({ bankAccount, intermediaryBank }: KnownBeneficiary): ShownAccount | null {
  const { iban, clabe, accountNumber, bankName, bankAccountHolderName, country } = bankAccount;
  if (iban === undefined && clabe === undefined && accountNumber === undefined) return null;
  const codes = CODE_LABELS.flatMap(([field, label]) => {
    const code = bankAccount[field];
    return code === undefined ? [] : [`${label} ${code}`];
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
    intermediaryBank: intermediaryBank === undefined ? null : describeIntermediary(intermediaryBank),
  };
}

function describeIntermediary(bank: NonNullable<KnownBeneficiary['intermediaryBank']>): string | null {
  const { bankName, bicSwift, accountNumber, address } = bank;
  const parts = [
    bankName,
    bicSwift === undefined ? undefined : `BIC ${bicSwift}`,
    accountNumber === undefined ? undefined : `account ${accountNumber}`,
    address,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? null : parts.join(', ');
}
