import { type BeneficiaryBook, beneficiaryKeyOf } from '../beneficiaries/beneficiary-book.ts';
import { COUNTRY_CODE, CURRENCY_CODE } from './payment-codes.ts';
import { type Corridor, corridorKey } from './reference-data.ts';
import type { Cells, RawRow } from './raw-row.ts';

/**
 * The corridors of the rows that describe their beneficiary, each once, in order of first use. Skips rows with an
 * invalid currency or country code: validation reports them, and the provider should not be asked about them.
 */
export function corridorsOf(rows: readonly RawRow[]): Corridor[] {
  const corridors = new Map<string, Corridor>();
  for (const { cells } of rows) {
    const corridor = corridorOfCells(cells);
    if (corridor !== null) corridors.set(corridorKey(corridor), corridor);
  }
  return [...corridors.values()];
}

/** The keys of the book that the rows name, each once. */
export function beneficiaryKeysOf(rows: readonly RawRow[]): string[] {
  return [...new Set(rows.map(({ cells }) => beneficiaryKeyOf(cells.beneficiary_key ?? '')))].filter(
    (key) => key !== '',
  );
}

/** The corridors of accounts of the book. */
export function corridorsOfBook(book: BeneficiaryBook): Corridor[] {
  const corridors = [...book.values()].flat().map(({ details: { country, bankAccount } }) => ({
    currency: bankAccount.currency,
    bankAccountCountry: bankAccount.country,
    beneficiaryCountry: country,
  }));
  return [...new Map(corridors.map((corridor) => [corridorKey(corridor), corridor])).values()];
}

function corridorOfCells(cells: Cells): Corridor | null {
  if ((cells.beneficiary_id ?? '').trim() !== '') return null;
  const currency = (cells.buy_currency ?? '').trim();
  const bankAccountCountry = (cells.bank_country ?? '').trim();
  const beneficiaryCountry = (cells.beneficiary_country ?? '').trim();
  const isValid =
    CURRENCY_CODE.test(currency) && COUNTRY_CODE.test(bankAccountCountry) && COUNTRY_CODE.test(beneficiaryCountry);
  return isValid ? { currency, bankAccountCountry, beneficiaryCountry } : null;
}
