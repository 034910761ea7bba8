import { parseAmount, sumAmounts } from '../../domain/money.ts';
import type { DraftProblem, LeftOutAmounts } from '../../store/payment-file/drafts.ts';
import { preparedReader } from '../../domain/import-profiles/read-record.ts';
import type { Cells } from '../../domain/payment-file/raw-row.ts';
import type { DraftContent } from './draft-content.ts';

/** No currency has more. */
const MOST_DECIMALS = 4;

/**
 * The rows with a problem, and what they come to. Null: they cannot be left out, as something is wrong with the whole file, or
 * no row would be left.
 */
export function leftOutOf(content: DraftContent, problems: readonly DraftProblem[]): LeftOutAmounts | null {
  const wrong = new Set(problems.map(({ row }) => row));
  if (wrong.has(null) || wrong.size === 0 || wrong.size >= content.rows.length) return null;
  const reader = preparedReader(content.profile, content.columns);
  const amounts = new Map<string, string[]>();
  let unreadable = 0;
  for (const { row, cells } of content.rows) {
    if (!wrong.has(row)) continue;
    const record = reader.read({ line: row, cells });
    const read = record === null ? null : amountOf('cells' in record ? record.cells : record.readable);
    if (read === null) unreadable += 1;
    else {
      const known = amounts.get(read.currency);
      if (known === undefined) amounts.set(read.currency, [read.amount]);
      else known.push(read.amount);
    }
  }
  const sums = [...amounts].map(([currency, each]) => ({ currency, amount: sumAmounts(each) }));
  return { rows: wrong.size, sums: sums.sort((a, b) => (a.currency < b.currency ? -1 : 1)), unreadable };
}

/** The amount as it is written, and the currency that it fixes; null where one of them cannot be read. */
function amountOf(cells: Cells): { amount: string; currency: string } | null {
  const side = cells.amount_side?.trim();
  if (side !== 'sell' && side !== 'buy') return null;
  const currency = cells[`${side}_currency`]?.trim() ?? '';
  const amount = cells.amount?.trim() ?? '';
  if (!/^[A-Z]{3}$/.test(currency) || !('amount' in parseAmount(amount, MOST_DECIMALS))) return null;
  return { amount, currency };
}
