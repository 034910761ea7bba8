import { canonicalJson } from '../canonical-json.ts';
import type { KnownBeneficiary } from './known-beneficiary.ts';
import type { BeneficiaryDetails } from '../payments/payment-instruction.ts';

/**
 * What makes two beneficiaries, accounts or names the same, however they were typed: blanks, dashes, dots, capitals and
 * Unicode forms do not count. All of these texts are personal data: hash them before they leave the record.
 */

/** The same for the same bank account, whoever is said to hold it. */
export function accountText({ bankAccount }: Pick<KnownBeneficiary, 'bankAccount'>): string {
  const { iban, clabe, accountNumber } = bankAccount;
  // By these alone an account is known everywhere; whether a BIC stands beside them makes no other account.
  if (iban !== undefined) return canonicalJson({ iban: normalisedCode(iban) });
  if (clabe !== undefined) return canonicalJson({ clabe: normalisedCode(clabe) });
  const bank = BANK_CODES.flatMap((field) => {
    const code = bankAccount[field];
    return code === undefined ? [] : [[field, normalisedCode(code)]];
  });
  const { bicSwift } = bankAccount;
  if (bank.length === 0 && bicSwift !== undefined) bank.push(['bicSwift', normalisedBic(bicSwift)]);
  return canonicalJson({
    country: bankAccount.country ?? null,
    accountNumber: accountNumber === undefined ? null : normalisedCode(accountNumber),
    bank: Object.fromEntries(bank) as Record<string, string>,
  });
}

/**
 * The same for the same way to the account: who is said to hold it, every code of it and of its bank, and the bank that
 * the money goes through. Money for one account can be led elsewhere by these.
 */
export function routingText({ bankAccount, intermediaryBank }: KnownBeneficiary): string {
  const { bankAccountHolderName: holder, country } = bankAccount;
  const codes = (['iban', 'clabe', 'accountNumber', ...BANK_CODES] as const).flatMap((field) => {
    const code = bankAccount[field];
    return code === undefined ? [] : [[field, normalisedCode(code)]];
  });
  const through = (['bankName', 'address'] as const).flatMap((field) => {
    const text = intermediaryBank?.[field];
    return text === undefined ? [] : [[field, normalisedName(text)]];
  });
  return canonicalJson({
    holder: holder === undefined ? null : normalisedName(holder),
    country: country ?? null,
    bicSwift: bicOrNull(bankAccount.bicSwift),
    codes: Object.fromEntries(codes) as Record<string, string>,
    through: Object.fromEntries(through) as Record<string, string>,
    throughBic: bicOrNull(intermediaryBank?.bicSwift),
    throughAccount:
      intermediaryBank?.accountNumber === undefined ? null : normalisedCode(intermediaryBank.accountNumber),
  });
}

/** The same for the same name: that of the company or the person, else that of the account's holder. */
export function nameText(details: KnownBeneficiary): string {
  return normalisedName(beneficiaryName(details));
}

/** Empty where no name is known. */
export function beneficiaryName({ companyName, firstName, lastName, bankAccount }: KnownBeneficiary): string {
  if (companyName !== undefined) return companyName;
  const person = [firstName, lastName].filter((part) => part !== undefined).join(' ');
  return person === '' ? (bankAccount.bankAccountHolderName ?? '') : person;
}

/** The same for the same holder at the same bank account in one currency. */
export function beneficiaryFingerprintText(details: BeneficiaryDetails): string {
  const account = details.bankAccount;
  return canonicalJson({
    bankCountry: account.country,
    currency: account.currency,
    holder: normalisedName(account.bankAccountHolderName),
    codes: identifyingCodes(account),
  });
}

/** An IBAN or a CLABE is the whole account by itself: whether a BIC stands beside it makes no other account. */
function identifyingCodes(account: BeneficiaryDetails['bankAccount']): Record<string, string> {
  if (account.iban !== undefined) return { iban: normalisedCode(account.iban) };
  if (account.clabe !== undefined) return { clabe: normalisedCode(account.clabe) };
  return Object.fromEntries(
    (['accountNumber', 'bicSwift', ...BANK_CODES] as const).flatMap((field) => {
      const code = account[field];
      if (code === undefined) return [];
      return [[field, field === 'bicSwift' ? normalisedBic(code) : normalisedCode(code)]];
    }),
  );
}

/** Codes that name the bank within its country. */
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

function normalisedCode(code: string): string {
  return code
    .normalize('NFKC')
    .replace(/[\s\-.\u2010-\u2015]/g, '')
    .toUpperCase();
}

/** Eight characters and eleven that end in XXX name the same head office. */
function normalisedBic(code: string): string {
  const bic = normalisedCode(code);
  return bic.length === 11 && bic.endsWith('XXX') ? bic.slice(0, 8) : bic;
}

function bicOrNull(code: string | undefined): string | null {
  return code === undefined ? null : normalisedBic(code);
}

function normalisedName(name: string): string {
  return name
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[.,'’`\-\u2010-\u2015]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
