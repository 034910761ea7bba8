import type { ShownAccount } from '../../../domain/beneficiaries/known-beneficiary.ts';

/** The account by its IBAN, else by its number with the codes of the bank: never cut, since people decide by it. */
export function accountWords({ iban, accountNumber, bankCode }: ShownAccount): string {
  if (iban !== null) return iban;
  if (accountNumber === null) return 'an account that is not known';
  return bankCode === null ? accountNumber : `${accountNumber} (${bankCode})`;
}

/** Everything else by which money for the account finds its way: the holder, the codes, the bank in between. */
export function routingWords({ holder, bankCode, country, intermediaryBank }: ShownAccount): string {
  const parts = [
    holder === null ? 'no holder' : `holder ${holder}`,
    bankCode === null ? 'no code of the bank' : bankCode,
    ...(country === null ? [] : [`in ${country}`]),
    ...(intermediaryBank === null ? [] : [`through ${intermediaryBank}`]),
  ];
  return parts.join(', ');
}
