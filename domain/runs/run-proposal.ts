import type { CostBound } from '../approvals/cost-bound.ts';
import { addAmounts } from '../money.ts';

/** What a run would do, for its approvers. Amounts are decimal strings with the decimal places of the currency. */

export interface CurrencyTotal {
  currency: string;
  rows: number;
  amount: string;
}

export interface FundsNeed {
  currency: string;
  /** What rows need that fix what is spent, or are paid in this currency. Without fees. */
  needed: string;
  /** Further rows: what they cost is known when each is quoted. */
  unquotedRows: number;
  /** The balance at the provider; null when it could not be read. */
  balance: string | null;
  /** What other runs that are approved and not ended still need of the balance. */
  committed: string;
}

export interface RunProposal {
  rows: number;
  payable: number;
  onHold: number;
  totalsByBuyCurrency: CurrencyTotal[];
  totalsBySellCurrency: CurrencyTotal[];
  funds: FundsNeed[];
  /** What is sent only within it. */
  costBound: CostBound;
  /** Requests to the provider: quotes, creations, fundings, new beneficiaries, uploads, and a share for confirming. */
  requests: number;
  /** Seconds until all is sent at the provider's limit, after what other runs still have to send. */
  durationSeconds: number;
  warnings: string[];
  /** What an approval is bound to: SHA-256 over every row to be paid, in order, and what each may cost. */
  contentHash: string;
}

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
