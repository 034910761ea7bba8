import type { ShownAccount } from '../../domain/known-beneficiary.ts';

/** The account by its IBAN, else by its number with the codes of the bank: never cut, since people decide by it. */
export function accountWords({ iban, accountNumber, bankCode }: ShownAccount): string {
  if (iban !== null) return iban;
  if (accountNumber === null) return 'an account that is not known';
  return bankCode === null ? accountNumber : `${accountNumber} (${bankCode})`;
}
