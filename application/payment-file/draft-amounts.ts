import { parseAmount, sumAmounts } from '../../domain/money.ts';
import type { DraftProblem, LeftOutAmounts } from '../../store/payment-file/drafts.ts';
import { type DraftContent, fieldsOf } from './draft-content.ts';

/** No currency has more. */
const MOST_DECIMALS = 4;

/**
 * The rows with a problem, and what they come to. Null: they cannot be left out, as something is wrong with the whole file, or
 * no row would be left.
 */
export function leftOutOf(content: DraftContent, problems: readonly DraftProblem[]): LeftOutAmounts | null {
  const wrong = new Set(problems.map(({ row }) => row));
  if (wrong.has(null) || wrong.size === 0 || wrong.size >= content.rows.length) return null;
  const readCell = cellReader(content);
  const amounts = new Map<string, string[]>();
  let unreadable = 0;
  for (const { row, cells } of content.rows) {
    if (!wrong.has(row)) continue;
    const read = amountOf((field) => readCell(cells, field));
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

/** A cell by our name of its column; where it is empty, the run's default. */
function cellReader(content: DraftContent): (cells: readonly string[], field: string) => string {
  const fields = fieldsOf(content);
  return (cells, field) => {
    const cell = (cells[fields.indexOf(field)] ?? '').trim();
    return cell === '' ? (content.defaults[field] ?? '').trim() : cell;
  };
}

/** The amount as it is written, and the currency that it fixes; null where one of them cannot be read. */
function amountOf(cell: (field: string) => string): { amount: string; currency: string } | null {
  const side = cell('amount_side');
  if (side !== 'sell' && side !== 'buy') return null;
  const currency = cell(`${side}_currency`);
  const amount = cell('amount');
  if (!/^[A-Z]{3}$/.test(currency) || !('amount' in parseAmount(amount, MOST_DECIMALS))) return null;
  return { amount, currency };
}
