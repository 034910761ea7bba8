import { extractIBAN, getCountrySpecifications, isValidBIC, validateIBAN, ValidationErrorsIBAN } from 'ibantools';
import { isAba, isClabe } from './account-check-digits.ts';

/** The codes by which banks and accounts are named: their forms, the countries that they are of, and what an IBAN contains. */

const IBAN_SPECIFICATIONS = getCountrySpecifications();

/** How many letters and digits the IBANs of a country have; null: it has none. */
export function ibanLength(country: string): number | null {
  return IBAN_SPECIFICATIONS[country]?.chars ?? null;
}

export function isIban(text: string): boolean {
  return validateIBAN(text).valid;
}

/** What is wrong with a text that should be an IBAN, by the registry of its country: as part of a sentence. Null: nothing. */
export function ibanProblem(text: string): string | null {
  const { valid, errorCodes } = validateIBAN(text);
  if (valid) return null;
  const has = (error: ValidationErrorsIBAN): boolean => errorCodes.includes(error);
  if (has(ValidationErrorsIBAN.NoIBANCountry)) return 'does not begin with a country that has IBANs';
  if (has(ValidationErrorsIBAN.WrongBBANLength)) {
    return `has ${text.length} characters, and an IBAN of its country has ${ibanLength(text.slice(0, 2)) ?? 0}`;
  }
  if (has(ValidationErrorsIBAN.WrongBBANFormat)) return 'has letters or digits in the wrong places for its country';
  return has(ValidationErrorsIBAN.WrongAccountBankBranchChecksum) && !has(ValidationErrorsIBAN.WrongIBANChecksum)
    ? 'has an account number within it whose own check digits are wrong'
    : 'is not an IBAN with valid check digits';
}

/** ISO 9362, in capitals, of a country that exists. */
export function isBic(text: string): boolean {
  return text === text.toUpperCase() && isValidBIC(text);
}

export interface CodeForm {
  isValid: (text: string) => boolean;
  /** With its article. */
  name: string;
}

const BIC: CodeForm = { isValid: isBic, name: 'a BIC of 8 or 11 characters with the code of a country' };

/** The forms of codes that are the same wherever they are used. */
export const CODE_FORMS = {
  bank_aba: { isValid: isAba, name: 'a routing number with a valid check digit' },
  bank_clabe: { isValid: isClabe, name: 'a CLABE with a valid check digit' },
  bank_bic_swift: BIC,
  intermediary_bic_swift: BIC,
  bank_sort_code: matching(/^\d{6}$/, 'a sort code of 6 digits'),
  bank_bsb_code: matching(/^\d{6}$/, 'a BSB of 6 digits'),
  bank_ifsc_code: matching(/^[A-Z]{4}0[A-Z0-9]{6}$/, 'an IFSC of 11 characters, whose fifth is a zero'),
  bank_cnaps: matching(/^\d{12}$/, 'a CNAPS code of 12 digits'),
} as const satisfies Readonly<Record<string, CodeForm>>;

function matching(pattern: RegExp, name: string): CodeForm {
  return { isValid: (text) => pattern.test(text), name };
}

/** The countries in which banks have a code of this kind. */
export const COUNTRIES_OF_CODES = {
  bank_aba: ['US'],
  bank_clabe: ['MX'],
  bank_sort_code: ['GB', 'IE'],
  bank_bsb_code: ['AU'],
  bank_ifsc_code: ['IN'],
  bank_cnaps: ['CN'],
  bank_institution_no: ['CA'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Countries whose IBANs begin with the bank's letters, then a sort code of 6 digits and an account number of 8. */
const WITH_SORT_CODE = ['GB', 'IE'];

/** What a valid IBAN says of its bank and its account. */
export interface IbanParts {
  country: string;
  /** The first letters of the bank's BIC; null: it does not say them. */
  bankLetters: string | null;
  /** Both null: the country has no sort codes. */
  sortCode: string | null;
  accountNumber: string | null;
}

export function ibanParts(iban: string): IbanParts {
  const country = iban.slice(0, 2);
  const { bankIdentifier = '' } = extractIBAN(iban);
  const hasSortCode = WITH_SORT_CODE.includes(country);
  return {
    country,
    bankLetters: /^[A-Z]{4}$/.test(bankIdentifier) ? bankIdentifier : null,
    sortCode: hasSortCode ? iban.slice(8, 14) : null,
    accountNumber: hasSortCode ? iban.slice(14) : null,
  };
}

/** Numbers of clearing in Sweden are not part of the IBAN with all banks. */
const NATIONAL_NUMBERS_APART = ['SE'];

/**
 * Whether a national number can be that of the account with this IBAN or CLABE: each of its parts is in it, however many leading zeros it
 * is written with.
 */
export function isWithin(code: string, nationalNumber: string): boolean {
  if (NATIONAL_NUMBERS_APART.includes(code.slice(0, 2))) return true;
  const parts = nationalNumber.toUpperCase().split(/[^A-Z0-9]+/);
  return parts.every((part) => code.includes(part.replace(/^0+/, '')));
}
