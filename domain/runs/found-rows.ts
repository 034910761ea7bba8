import { sumAmounts } from '../money.ts';
import type { FoundAmount, FoundRows } from './run-finding.ts';
import type { RowFacts } from './run-findings.ts';

const MAX_LISTED = 100;

/** The rows of a finding as shown: the first ones, how many there are, and their sums. */
export function foundRows(id: string, rows: readonly RowFacts[]): FoundRows {
  return { id, ...listedRows(rows), amounts: sumsOf(rows) };
}

export function listedRows(rows: readonly RowFacts[]): Pick<FoundRows, 'rows' | 'rowCount'> {
  return { rows: firstListed(rows).map(({ rowRef }) => rowRef), rowCount: rows.length };
}

/** The first items of a list, as many as are shown. */
export function firstListed<T>(items: readonly T[]): T[] {
  return items.slice(0, MAX_LISTED);
}

function sumsOf(rows: readonly RowFacts[]): FoundAmount[] {
  const amounts = new Map<string, string[]>();
  for (const { currency, amount } of rows) {
    const summands = amounts.get(currency);
    if (summands === undefined) amounts.set(currency, [amount]);
    else summands.push(amount);
  }
  return [...amounts].map(([currency, summands]) => ({ currency, amount: sumAmounts(summands) }));
}
