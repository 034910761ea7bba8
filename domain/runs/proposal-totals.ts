import { addAmounts } from '../money.ts';
import type { CurrencyTotal, RunProposal } from './run-proposal.ts';

/** What a run pays by the currency that its rows fix, the most rows first: each row is in one of the two lists of the proposal. */
export function totalsOf(proposal: RunProposal | null): CurrencyTotal[] {
  const totals = new Map<string, CurrencyTotal>();
  for (const total of [...(proposal?.totalsBySellCurrency ?? []), ...(proposal?.totalsByBuyCurrency ?? [])]) {
    const other = totals.get(total.currency);
    totals.set(
      total.currency,
      other === undefined
        ? total
        : { ...total, rows: total.rows + other.rows, amount: addAmounts(total.amount, other.amount) },
    );
  }
  return [...totals.values()].sort((a, b) => b.rows - a.rows || (a.currency < b.currency ? -1 : 1));
}
