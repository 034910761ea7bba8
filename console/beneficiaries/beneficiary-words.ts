import type { BeneficiaryAccount } from '../../api/beneficiaries/endpoints.ts';
import { capitalized } from '../../domain/capitalized.ts';

/** How accounts of the book are named on pages. */

/** The page of a beneficiary: keys are of one account with the provider. */
export function beneficiaryHref(key: string, account: string): string {
  return `/beneficiaries/of/${encodeURIComponent(key)}?account=${encodeURIComponent(account)}`;
}

/** What an account is called by: its number, as far as it can be read. */
export function numberOf({ columns }: Pick<BeneficiaryAccount, 'columns'>): string {
  if (columns === null) return 'cannot be read';
  return columns['bank_iban'] ?? columns['bank_account_number'] ?? columns['bank_clabe'] ?? 'no number';
}

const LABELS: Readonly<Record<string, string>> = {
  bank_iban: 'IBAN',
  bank_bic_swift: 'BIC',
  bank_aba: 'ABA number',
  bank_clabe: 'CLABE',
  bank_cnaps: 'CNAPS',
  bank_bsb_code: 'BSB',
  bank_ifsc_code: 'IFSC',
  bank_account_number: 'Account number',
  bank_account_holder_name: 'Account holder',
  bank_name: 'Bank',
  bank_country: 'Country of the bank',
  bank_currency: 'Currency',
  beneficiary_key: 'Key, such as your supplier number',
  beneficiary_entity_type: 'Company or individual',
  beneficiary_company_name: 'Company name',
  beneficiary_country: 'Country of the beneficiary',
};

/** A column of a payment file as a person calls it. */
export function labelOf(column: string): string {
  const text = column.replace(/^(?:beneficiary|bank)_/, '').replaceAll('_', ' ');
  return LABELS[column] ?? capitalized(text);
}

/** Account and name first, as people compare them. */
const FIRST = [
  'bank_iban',
  'bank_account_number',
  'bank_account_holder_name',
  'beneficiary_company_name',
  'beneficiary_first_name',
  'beneficiary_last_name',
  'bank_name',
  'bank_bic_swift',
  'bank_currency',
  'bank_country',
];

export function inOrder(columns: readonly string[]): string[] {
  const place = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return [...columns].sort((one, other) => place(one) - place(other));
}

/** Whether a line of the book has a column of payment files. */
export function isOfBook(column: string): boolean {
  return column !== 'beneficiary_id' && /^(?:beneficiary|bank|intermediary)_/.test(column);
}
