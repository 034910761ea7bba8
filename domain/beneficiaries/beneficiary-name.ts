import type { KnownBeneficiary } from './known-beneficiary.ts';

/** The name of the company or the person, else of the account holder. Empty if no name is known. */
export function beneficiaryName({ companyName, firstName, lastName, bankAccount }: KnownBeneficiary): string {
  if (companyName !== undefined) return companyName;
  const person = [firstName, lastName].filter((part) => part !== undefined).join(' ');
  return person === '' ? (bankAccount.bankAccountHolderName ?? '') : person;
}
