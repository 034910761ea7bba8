import { canonicalJson } from '../canonical-json.ts';
import { codesOf } from './bank-territories.ts';
import { beneficiaryName } from './beneficiary-name.ts';
import { nameKey } from './name-words.ts';
import type { KnownBeneficiary } from './known-beneficiary.ts';
import type { BeneficiaryDetails } from '../payments/payment-instruction.ts';

/**
 * Texts that are equal for equal beneficiaries, accounts or names, however they were typed: blanks, punctuation, case
 * and Unicode forms do not count, nor do the legal form and marks of a name. These texts are personal data: hash them before they leave the database.
 */

/**
 * Equal for the same bank account, whatever the account holder, and whatever codes are given beside those that decide where the money goes:
 * an account that could be written in several ways would have several limits, and its payments no duplicates.
 */
export function accountText({ bankAccount }: Pick<KnownBeneficiary, 'bankAccount'>): string {
  const { iban, clabe, accountNumber } = bankAccount;
  const national = nationalAccountOf(bankAccount);
  if (national !== null) return canonicalJson(national);
  // An IBAN or a CLABE identifies the account worldwide, with or without a BIC.
  if (iban !== undefined) return canonicalJson({ iban: normalizedCode(iban) });
  if (clabe !== undefined) return canonicalJson({ clabe: normalizedCode(clabe) });
  return canonicalJson({
    country: bankAccount.country === undefined ? null : codesOf(bankAccount.country),
    accountNumber: accountNumber === undefined ? null : withoutZeros(normalizedCode(accountNumber)),
    bank: bankOf(bankAccount),
  });
}

/** The codes that name the bank of an account without an IBAN, in countries where it is known which they are. */
const CODES_OF_BANK: Readonly<Record<string, readonly CodeField[]>> = {
  AU: ['bsbCode'],
  BR: ['bankCode', 'branchCode'],
  CA: ['institutionNo', 'branchCode'],
  CN: ['cnaps'],
  HK: ['bankCode'],
  IN: ['ifscCode'],
  JP: ['bankCode', 'branchCode'],
  KR: ['bankCode'],
  // The account number begins with the bank.
  NZ: [],
  SG: ['bicSwift'],
  US: ['aba'],
};

/** Codes whose first characters name the bank, and the others a branch of it: its account numbers are the same in all of them. */
const CHARACTERS_OF_BANK: Readonly<Partial<Record<CodeField, number>>> = { bicSwift: 8, cnaps: 3, ifscCode: 4 };

/** The codes of its country if all of them are given, else the national codes there are, else the BIC. */
function bankOf(account: KnownBeneficiary['bankAccount']): Record<string, string> {
  const ofCountry = CODES_OF_BANK[codesOf(account.country ?? '')];
  const isNational = ofCountry?.every((field) => account[field] !== undefined) ?? false;
  const national = ofCountry === undefined ? BANK_CODES.filter((field) => account[field] !== undefined) : [];
  const fields = isNational ? (ofCountry ?? []) : national.length > 0 ? national : (['bicSwift'] as const);
  const codes = Object.entries(normalizedCodes(account, fields));
  return Object.fromEntries(
    codes.map(([field, code]) => [field, withoutZeros(code.slice(0, CHARACTERS_OF_BANK[field as CodeField]))]),
  );
}

/** Numbers are written with or without their leading zeros. */
function withoutZeros(code: string): string {
  return code.replace(/^0+(?=.)/, '');
}

/** The account of a country that writes it in two ways, by its IBAN or by sort code and number: one account for both. */
function nationalAccountOf(
  account: KnownBeneficiary['bankAccount'],
): { country: string; sortCode: string; accountNumber: string } | null {
  const iban = account.iban === undefined ? undefined : normalizedCode(account.iban);
  const country = codesOf(iban?.slice(0, 2) ?? account.country ?? '');
  // Their IBANs are 22 characters: the bank, then a sort code of 6 digits and an account number of 8.
  if (country !== 'GB' && country !== 'IE') return null;
  if (iban !== undefined) {
    return iban.length === 22 ? { country, sortCode: iban.slice(8, 14), accountNumber: iban.slice(14) } : null;
  }
  if (account.sortCode === undefined || account.accountNumber === undefined) return null;
  const accountNumber = normalizedCode(account.accountNumber).padStart(8, '0');
  return { country, sortCode: normalizedCode(account.sortCode), accountNumber };
}

/**
 * Equal for the same route to the account: the account holder, every code of the account and its bank, and the
 * intermediary bank. A change of these can redirect money although the account is the same.
 */
export function routingText({ bankAccount, intermediaryBank }: KnownBeneficiary): string {
  const { bankAccountHolderName: holder, country } = bankAccount;
  const through = (['bankName', 'address'] as const).flatMap((field) => {
    const text = intermediaryBank?.[field];
    return text === undefined ? [] : [[field, normalizedName(text)]];
  });
  return canonicalJson({
    holder: holder === undefined ? null : nameKey(holder),
    country: country ?? null,
    bicSwift: bicOrNull(bankAccount.bicSwift),
    codes: normalizedCodes(bankAccount, ['iban', 'clabe', 'accountNumber', ...BANK_CODES]),
    through: Object.fromEntries(through) as Record<string, string>,
    throughBic: bicOrNull(intermediaryBank?.bicSwift),
    throughAccount:
      intermediaryBank?.accountNumber === undefined ? null : normalizedCode(intermediaryBank.accountNumber),
  });
}

/**
 * The countries that a bank account names, for the conditions of a policy: what is paid goes by the codes, whatever country is written
 * beside them. An empty one: it is not known.
 */
export function countriesOf({ bankAccount }: Pick<KnownBeneficiary, 'bankAccount'>): string[] {
  // guard: countries-of-codes
  const { country = '', iban, bicSwift } = bankAccount;
  const ofIban = iban === undefined ? [] : [normalizedCode(iban).slice(0, 2)];
  const ofBic = bicSwift === undefined ? [] : [normalizedCode(bicSwift).slice(4, 6)];
  return [...new Set([country, ...ofIban, ...ofBic])].sort();
}

/** Equal for the same name, however it is spelt: of the company or the person, else of the account holder. */
export function nameText(details: KnownBeneficiary): string {
  return nameKey(beneficiaryName(details));
}

/** Equal for the same holder of the same bank account in the same currency. */
export function beneficiaryFingerprintText(details: BeneficiaryDetails): string {
  const account = details.bankAccount;
  return canonicalJson({
    bankCountry: account.country,
    currency: account.currency,
    holder: normalizedName(account.bankAccountHolderName),
    codes: identifyingCodes(account),
  });
}

/** An IBAN or a CLABE identifies the account, with or without a BIC. */
function identifyingCodes(account: BeneficiaryDetails['bankAccount']): Record<string, string> {
  if (account.iban !== undefined) return { iban: normalizedCode(account.iban) };
  if (account.clabe !== undefined) return { clabe: normalizedCode(account.clabe) };
  return normalizedCodes(account, ['accountNumber', 'bicSwift', ...BANK_CODES]);
}

/** National codes of the bank. */
const BANK_CODES = [
  'aba',
  'sortCode',
  'bsbCode',
  'ifscCode',
  'cnaps',
  'bankCode',
  'branchCode',
  'institutionNo',
] as const;

type CodeField = 'iban' | 'clabe' | 'accountNumber' | 'bicSwift' | (typeof BANK_CODES)[number];

/** The given codes, by field, without those that are unknown. */
function normalizedCodes(
  account: KnownBeneficiary['bankAccount'],
  fields: readonly CodeField[],
): Record<string, string> {
  const codes: Record<string, string> = {};
  for (const field of fields) {
    const code = account[field];
    if (code !== undefined) codes[field] = field === 'bicSwift' ? normalizedBic(code) : normalizedCode(code);
  }
  return codes;
}

function normalizedCode(code: string): string {
  // Most are written as they are compared.
  if (/^[0-9A-Z]*$/.test(code)) return code;
  return code
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();
}

/** A BIC of 8 characters and the same with XXX at its end both name the head office. */
function normalizedBic(code: string): string {
  const bic = normalizedCode(code);
  return bic.length === 11 && bic.endsWith('XXX') ? bic.slice(0, 8) : bic;
}

function bicOrNull(code: string | undefined): string | null {
  return code === undefined ? null : normalizedBic(code);
}

function normalizedName(name: string): string {
  return name
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[.,'’`\-\u2010-\u2015]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
