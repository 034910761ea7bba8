import type { ShownAccount } from '../../../domain/beneficiaries/known-beneficiary.ts';

/** The IBAN, else the account number with the bank code. Never cut, because people decide by it. */
export function describeAccount({ iban, accountNumber, bankCode }: ShownAccount): string {
  if (iban !== null) return iban;
  if (accountNumber === null) return 'an unknown account';
  return bankCode === null ? accountNumber : `${accountNumber} (${bankCode})`;
}

/** The other details that route a payment: holder, bank code, country, intermediary bank. */
export function describeRouting({ holder, bankCode, country, intermediaryBank }: ShownAccount): string {
  const parts = [
    holder === null ? 'no holder' : `holder ${holder}`,
    bankCode === null ? 'no bank code' : bankCode,
    ...(country === null ? [] : [`in ${country}`]),
    ...(intermediaryBank === null ? [] : [`via ${intermediaryBank}`]),
  ];
  return parts.join(', ');
}
