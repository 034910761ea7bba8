import { type Corridor, corridorKey } from './reference-data.ts';
import type { Cells, RawRow } from './raw-row.ts';

/**
 * The corridors of the rows that describe their beneficiary, each once, in order of first use. Rows whose currency or
 * countries are no codes are passed over: checking names them, and nobody should ask the provider about them.
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
  const plausible =
    /^[A-Z]{3}$/.test(currency) && /^[A-Z]{2}$/.test(bankAccountCountry) && /^[A-Z]{2}$/.test(beneficiaryCountry);
  return plausible ? { currency, bankAccountCountry, beneficiaryCountry } : null;
}
