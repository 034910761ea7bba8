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

function corridorOfCells(cells: Cells): Corridor | null {
  if ((cells.beneficiary_id ?? '').trim() !== '') return null;
  const currency = (cells.buy_currency ?? '').trim();
  const bankAccountCountry = (cells.bank_country ?? '').trim();
  const beneficiaryCountry = (cells.beneficiary_country ?? '').trim();
  const isValid =
    CURRENCY_CODE.test(currency) && COUNTRY_CODE.test(bankAccountCountry) && COUNTRY_CODE.test(beneficiaryCountry);
  return isValid ? { currency, bankAccountCountry, beneficiaryCountry } : null;
}
