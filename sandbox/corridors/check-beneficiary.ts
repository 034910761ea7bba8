import { invalidField, Refusal } from '../core/refusal.ts';
import { isAbaValid, isClabeValid, isIbanValid } from './check-digits.ts';
import { ibanPatterns } from './iban-countries.ts';
import { corridorOf, type EntityType, requirementsOf } from './requirements.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields that are checked; others are allowed. */
export interface BeneficiaryToCheck extends Fields {
  readonly country: string;
  readonly entityType: EntityType;
  readonly bankAccount: Fields & { readonly country: string; readonly currency: string };
}

const compiled = new Map<string, RegExp>();

function matches(pattern: string, value: string): boolean {
  let regex = compiled.get(pattern);
  if (!regex) compiled.set(pattern, (regex = new RegExp(pattern)));
  return regex.test(value);
}

/**
 * Checks a beneficiary against the same table as the requirements call, then the check digits of every code that is
 * given, required or not.
 * @throws Refusal `unsupported_corridor`, or `validation_failed` that names every wrong field by its path
 */
export function checkBeneficiary(beneficiary: BeneficiaryToCheck): void {
  const { country, entityType, bankAccount } = beneficiary;
  const corridor = corridorOf(bankAccount.currency, bankAccount.country, country);
  if (!corridor) throw unsupportedCorridor(bankAccount.currency, bankAccount.country, country);
  const required = requirementsOf(corridor, country, entityType);
  const problems = [
    ...missingOrWrong(required.root, beneficiary, ''),
    ...missingOrWrong(required.bankAccount, bankAccount, 'bankAccount.'),
  ];
  const wrong = problems.length > 0 ? problems : wrongCodes(bankAccount);
  if (wrong.length > 0) throw new Refusal(400, 'validation_failed', wrong.join('; '));
}

export const unsupportedCorridor = (currency: string, bankCountry: string, country: string): Refusal =>
  /^[A-Z]{3}$/.test(currency) && /^[A-Z]{2}$/.test(bankCountry) && /^[A-Z]{2}$/.test(country)
    ? new Refusal(
        400,
        'unsupported_corridor',
        `${currency} to a bank in ${bankCountry} for a beneficiary in ${country} is not supported`,
      )
    : invalidField('currency, bankAccountCountry, beneficiaryCountry', 'three and two capital letters are expected');

function missingOrWrong(patterns: Readonly<Record<string, string>>, fields: Fields, prefix: string): string[] {
  return Object.entries(patterns).flatMap(([field, pattern]) => {
    const value = fields[field];
    if (typeof value !== 'string' || value === '')
      return [`${prefix}${field}: is required here, in the form ${pattern}`];
    return matches(pattern, value) ? [] : [`${prefix}${field}: does not have the form ${pattern}`];
  });
}

interface CodeCheck {
  readonly field: string;
  readonly isValid: (value: string, bankCountry: string) => boolean;
  readonly problem: string;
}

const codeChecks: readonly CodeCheck[] = [
  {
    field: 'iban',
    isValid: (iban, bankCountry) => iban.startsWith(bankCountry) && matches(ibanPatterns[bankCountry] ?? '.', iban),
    problem: "is not an IBAN of the bank's country",
  },
  { field: 'iban', isValid: isIbanValid, problem: 'check digits are wrong (modulo 97)' },
  { field: 'aba', isValid: (aba) => /^\d{9}$/.test(aba) && isAbaValid(aba), problem: 'check digit is wrong' },
  {
    field: 'clabe',
    isValid: (clabe) => /^\d{18}$/.test(clabe) && isClabeValid(clabe),
    problem: 'check digit is wrong',
  },
  {
    field: 'bicSwift',
    isValid: (bic) => /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(bic),
    problem: 'is not a BIC of 8 or 11 characters',
  },
];

function wrongCodes(bankAccount: BeneficiaryToCheck['bankAccount']): string[] {
  return codeChecks.flatMap(({ field, isValid, problem }) => {
    const value = bankAccount[field];
    return typeof value !== 'string' || value === '' || isValid(value, bankAccount.country)
      ? []
      : [`bankAccount.${field}: ${problem}`];
  });
}
