import type { BeneficiaryBook } from '../beneficiaries/beneficiary-book.ts';
import { COUNTRY_CODE, CURRENCY_CODE } from './payment-codes.ts';
import { type Corridor, corridorKey } from './reference-data.ts';
import type { Cells } from './raw-row.ts';

/** The corridors of accounts of the book. */
export function corridorsOfBook(book: BeneficiaryBook): Corridor[] {
  const corridors = [...book.values()].flat().map(({ details: { country, bankAccount } }) => ({
    currency: bankAccount.currency,
    bankAccountCountry: bankAccount.country,
    beneficiaryCountry: country,
  }));
  return [...new Map(corridors.map((corridor) => [corridorKey(corridor), corridor])).values()];
}

/**
 * The corridor of a row that describes its beneficiary. Null: it names one, or has an invalid currency or country code: validation reports
 * it, and the provider should not be asked about it.
 */
export function corridorOf(cells: Cells): Corridor | null {
  if ((cells.beneficiary_id ?? '').trim() !== '') return null;
  const currency = (cells.buy_currency ?? '').trim();
  const bankAccountCountry = (cells.bank_country ?? '').trim();
  const beneficiaryCountry = (cells.beneficiary_country ?? '').trim();
  const isValid =
    CURRENCY_CODE.test(currency) && COUNTRY_CODE.test(bankAccountCountry) && COUNTRY_CODE.test(beneficiaryCountry);
  return isValid ? { currency, bankAccountCountry, beneficiaryCountry } : null;
}
