import { canonicalJson } from './canonical-json.ts';
import type { BeneficiaryDetails } from './payment-instruction.ts';

/**
 * A text that is the same for the same holder at the same bank account, however the two rows were typed: blanks,
 * dashes, dots, capitals and Unicode forms do not count. It is personal data: hash it before it leaves the record.
 * Used to find duplicates and to reuse a beneficiary that the provider already holds.
 */
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
    CODE_FIELDS.flatMap((field) => {
      const code = account[field];
      if (code === undefined) return [];
      return [[field, field === 'bicSwift' ? normalisedBic(code) : normalisedCode(code)]];
    }),
  );
}

const CODE_FIELDS = [
  'accountNumber',
  'bicSwift',
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

function normalisedName(name: string): string {
  return name
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[.,'’`\-\u2010-\u2015]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
